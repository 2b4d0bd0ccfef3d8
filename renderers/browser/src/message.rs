// SPDX-License-Identifier: MIT OR Apache-2.0
//! The protocol's envelopes. Params and results stay raw until someone wants them typed, so that a
//! newer browser with an unknown event or enum value breaks nothing.

use headless_chrome::protocol::cdp::types::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::BrowserError;

/// Something that the browser tells without being asked.
#[derive(Debug, Clone)]
pub struct Event {
    /// The session that it belongs to, `None` for the browser itself.
    pub session: Option<String>,
    /// Its name, such as `Fetch.requestPaused`.
    pub method: String,
    params: Box<RawValue>,
}

impl Event {
    /// The event's content as a type.
    ///
    /// # Errors
    /// When the content has another shape.
    pub fn params<T: DeserializeOwned>(&self) -> Result<T, BrowserError> {
        serde_json::from_str(self.params.get()).map_err(|error| BrowserError::Malformed {
            method: self.method.clone(),
            reason: error.to_string(),
        })
    }
}

/// An answer to the command with this number.
#[derive(Debug)]
pub(crate) struct Answer {
    pub id: u32,
    pub outcome: Result<Box<RawValue>, String>,
}

#[derive(Debug)]
pub(crate) enum Message {
    Answer(Answer),
    Event(Event),
}

#[derive(Deserialize)]
struct Envelope {
    id: Option<u32>,
    method: Option<String>,
    #[serde(rename = "sessionId")]
    session: Option<String>,
    params: Option<Box<RawValue>>,
    result: Option<Box<RawValue>>,
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    #[serde(default)]
    message: String,
}

/// Reads one message. `None` when it is neither an answer nor an event.
pub(crate) fn parse(bytes: &[u8]) -> Result<Option<Message>, BrowserError> {
    let envelope: Envelope =
        serde_json::from_slice(bytes).map_err(|error| BrowserError::Malformed {
            method: "message".to_owned(),
            reason: error.to_string(),
        })?;
    Ok(match (envelope.id, envelope.method) {
        (Some(id), _) => Some(Message::Answer(Answer {
            id,
            outcome: match envelope.error {
                Some(failure) => Err(failure.message),
                None => Ok(envelope.result.unwrap_or_else(empty)),
            },
        })),
        (None, Some(method)) => Some(Message::Event(Event {
            session: envelope.session,
            method,
            params: envelope.params.unwrap_or_else(empty),
        })),
        (None, None) => None,
    })
}

fn empty() -> Box<RawValue> {
    RawValue::NULL.to_owned()
}

/// Spells a command, ended by the NUL byte that the pipe protocol wants.
pub(crate) fn spell<M: Method + serde::Serialize>(
    id: u32,
    session: Option<&str>,
    method: M,
) -> Result<Vec<u8>, BrowserError> {
    let malformed = |error: serde_json::Error| BrowserError::Malformed {
        method: M::NAME.to_owned(),
        reason: error.to_string(),
    };
    let mut bytes = serde_json::to_vec(&method.to_method_call(id)).map_err(malformed)?;
    if let Some(session) = session {
        let session = serde_json::to_string(session).map_err(malformed)?;
        bytes.pop();
        bytes.extend_from_slice(b",\"sessionId\":");
        bytes.extend_from_slice(session.as_bytes());
        bytes.push(b'}');
    }
    bytes.push(0);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless_chrome::protocol::cdp::Page;

    #[test]
    fn answers_events_and_errors_are_told_apart() {
        let answer = parse(br#"{"id":7,"result":{"a":1}}"#).unwrap();
        assert!(matches!(
            answer,
            Some(Message::Answer(Answer {
                id: 7,
                outcome: Ok(_)
            }))
        ));
        let refused = parse(br#"{"id":8,"error":{"code":-32000,"message":"no"}}"#).unwrap();
        assert!(
            matches!(refused, Some(Message::Answer(Answer { id: 8, outcome: Err(text) })) if text == "no")
        );
        let event = parse(br#"{"method":"X.y","sessionId":"S","params":{"n":[1,2]}}"#).unwrap();
        let Some(Message::Event(event)) = event else {
            panic!("no event")
        };
        assert_eq!(
            (event.method.as_str(), event.session.as_deref()),
            ("X.y", Some("S"))
        );
        #[derive(Deserialize)]
        struct N {
            n: Vec<u8>,
        }
        assert_eq!(event.params::<N>().unwrap().n, [1, 2]);
        assert!(event.params::<Vec<u8>>().is_err());
        assert!(parse(b"{}").unwrap().is_none());
        assert!(parse(b"nonsense").is_err());
    }

    #[test]
    fn a_command_carries_its_session_and_ends_in_nul() {
        let bytes = spell(
            3,
            Some("A\"B"),
            Page::Enable {
                enable_file_chooser_opened_event: None,
            },
        );
        let bytes = bytes.unwrap();
        assert_eq!(bytes.last(), Some(&0));
        let value: serde_json::Value = serde_json::from_slice(&bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(value["method"], "Page.enable");
        assert_eq!(value["sessionId"], "A\"B");
        assert_eq!(value["id"], 3);
    }
}
