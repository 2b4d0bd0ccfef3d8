// SPDX-License-Identifier: MIT OR Apache-2.0
//! A scripted model service on loopback, in the two protocols that codex and claude speak.
//!
//! Each request for a model's answer takes the next step of the script. It says nothing about real services;
//! it lets the real command lines be driven into every ending.
#![allow(dead_code, missing_docs, reason = "a helper of tests")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// One answer.
#[derive(Debug, Clone)]
pub enum Step {
    /// An answer with these shell commands to run (none: the last answer of the turn), and its usage.
    Answer {
        say: &'static str,
        commands: Vec<String>,
        input: u64,
        cached: u64,
        output: u64,
    },
    /// An HTTP error.
    Status(u16),
    /// The stream begins and the connection closes.
    Cut,
    /// The stream is no stream.
    Garbage,
    /// The stream begins and nothing more comes.
    Hang,
}

/// A last answer.
pub fn say(say: &'static str, input: u64, cached: u64, output: u64) -> Step {
    Step::Answer {
        say,
        commands: vec![],
        input,
        cached,
        output,
    }
}

/// An answer that runs one command.
pub fn run(command: &str, input: u64, cached: u64, output: u64) -> Step {
    Step::Answer {
        say: "",
        commands: vec![command.to_owned()],
        input,
        cached,
        output,
    }
}

/// A running service.
#[derive(Debug)]
pub struct Server {
    pub port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    steps: Vec<Step>,
    next: usize,
    requests: Vec<Value>,
}

impl Server {
    pub fn start(steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State {
            steps,
            next: 0,
            requests: vec![],
        }));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || {
                    // A client that goes away in the middle is part of many scripts.
                    _ = serve(stream, &shared);
                });
            }
        });
        Self { port, state }
    }

    /// The bodies of the requests that took a step.
    pub fn requests(&self) -> Vec<Value> {
        self.state.lock().unwrap().requests.clone()
    }

    /// How many steps were taken.
    pub fn taken(&self) -> usize {
        self.state.lock().unwrap().next
    }
}

fn serve(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (line, body) = read_request(&mut reader)?;
    let path = line
        .split(' ')
        .nth(1)
        .unwrap_or_default()
        .split('?')
        .next()
        .unwrap_or_default();
    let answers = path.ends_with("/responses") || path.ends_with("/messages");
    if !line.starts_with("POST") || !answers {
        let status = if path.ends_with("/count_tokens") {
            200
        } else {
            404
        };
        return send_json(&mut stream, status, &json!({"input_tokens": 1}));
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let step = {
        let mut state = state.lock().unwrap();
        let step = state.steps.get(state.next).cloned();
        state.next += 1;
        state.requests.push(request.clone());
        step.unwrap_or_else(|| say("(the script is over)", 1, 0, 1))
    };
    match step {
        Step::Status(status) => {
            let error =
                json!({"error": {"message": "scripted", "type": "scripted", "code": "scripted"}});
            send_json(&mut stream, status, &error)
        }
        Step::Cut => {
            start_stream(&mut stream)?;
            event(&mut stream, &first_event(path, &request))?;
            stream.shutdown(Shutdown::Both)
        }
        Step::Garbage => {
            start_stream(&mut stream)?;
            stream.write_all(b"data: {not json\n\n<html></html>\n\n")
        }
        Step::Hang => {
            start_stream(&mut stream)?;
            event(&mut stream, &first_event(path, &request))?;
            std::thread::sleep(std::time::Duration::from_secs(600));
            Ok(())
        }
        Step::Answer {
            say,
            commands,
            input,
            cached,
            output,
        } => {
            let usage = [input, cached, output];
            if path.ends_with("/responses") {
                send_response(&mut stream, &request, say, &commands, usage)
            } else {
                send_message(&mut stream, &request, say, &commands, usage)
            }
        }
    }
}

fn read_request(reader: &mut BufReader<TcpStream>) -> std::io::Result<(String, Vec<u8>)> {
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut length = 0;
    let mut chunked = false;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
    }
    let mut body = Vec::new();
    while chunked {
        let mut size = String::new();
        reader.read_line(&mut size)?;
        let size = u64::from_str_radix(size.trim(), 16).unwrap_or(0);
        reader.by_ref().take(size).read_to_end(&mut body)?;
        reader.read_line(&mut String::new())?;
        chunked = size > 0;
    }
    reader.by_ref().take(length).read_to_end(&mut body)?;
    Ok((first, body))
}

fn send_json(stream: &mut TcpStream, status: u16, body: &Value) -> std::io::Result<()> {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes())
}

fn start_stream(stream: &mut TcpStream) -> std::io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes())
}

fn event(stream: &mut TcpStream, event: &Value) -> std::io::Result<()> {
    let kind = event["type"].as_str().unwrap_or_default();
    stream.write_all(format!("event: {kind}\ndata: {event}\n\n").as_bytes())
}

fn first_event(path: &str, request: &Value) -> Value {
    if path.ends_with("/responses") {
        json!({"type": "response.created", "response": {"id": "r", "status": "in_progress"}})
    } else {
        message_start(request, [1, 0, 1])
    }
}

fn send_response(
    stream: &mut TcpStream,
    _request: &Value,
    say: &str,
    commands: &[String],
    [input, cached, output]: [u64; 3],
) -> std::io::Result<()> {
    let mut items = Vec::new();
    if !say.is_empty() {
        items.push(
            json!({"type": "message", "id": "m", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": say, "annotations": []}]}),
        );
    }
    for (number, command) in commands.iter().enumerate() {
        items.push(json!({"type": "function_call", "id": format!("f{number}"),
            "call_id": format!("call-{number}-{input}"), "name": "exec_command",
            "arguments": json!({"cmd": command}).to_string(), "status": "completed"}));
    }
    start_stream(stream)?;
    event(
        stream,
        &json!({"type": "response.created", "response": {"id": "r"}}),
    )?;
    for (index, item) in items.iter().enumerate() {
        let added = "response.output_item.added";
        event(
            stream,
            &json!({"type": added, "output_index": index, "item": item}),
        )?;
        let done = "response.output_item.done";
        event(
            stream,
            &json!({"type": done, "output_index": index, "item": item}),
        )?;
    }
    let usage = json!({"input_tokens": input, "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": output, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input + output});
    let response = json!({"id": "r", "status": "completed", "output": items, "usage": usage});
    event(
        stream,
        &json!({"type": "response.completed", "response": response}),
    )
}

fn message_start(request: &Value, [input, cached, _]: [u64; 3]) -> Value {
    json!({"type": "message_start", "message": {"id": format!("msg-{input}-{cached}"),
        "type": "message", "role": "assistant", "model": request["model"], "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": input - cached,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": cached, "output_tokens": 1}}})
}

fn send_message(
    stream: &mut TcpStream,
    request: &Value,
    say: &str,
    commands: &[String],
    usage: [u64; 3],
) -> std::io::Result<()> {
    let mut blocks = Vec::new();
    if !say.is_empty() {
        blocks.push((
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": say}),
        ));
    }
    for (number, command) in commands.iter().enumerate() {
        let id = format!("toolu_{number}_{}", usage[0]);
        let input = json!({"command": command, "description": "scripted"}).to_string();
        blocks.push((
            json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}}),
            json!({"type": "input_json_delta", "partial_json": input}),
        ));
    }
    start_stream(stream)?;
    event(stream, &message_start(request, usage))?;
    for (index, (block, delta)) in blocks.iter().enumerate() {
        let start = "content_block_start";
        event(
            stream,
            &json!({"type": start, "index": index, "content_block": block}),
        )?;
        event(
            stream,
            &json!({"type": "content_block_delta", "index": index, "delta": delta}),
        )?;
        event(
            stream,
            &json!({"type": "content_block_stop", "index": index}),
        )?;
    }
    let stop = if commands.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    };
    let delta = json!({"stop_reason": stop, "stop_sequence": null});
    let usage = json!({"output_tokens": usage[2]});
    event(
        stream,
        &json!({"type": "message_delta", "delta": delta, "usage": usage}),
    )?;
    event(stream, &json!({"type": "message_stop"}))
}
