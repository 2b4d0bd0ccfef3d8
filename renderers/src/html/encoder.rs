// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures on their way from the browser's spelling to ours, while the next slide is shown: on one
//! thread for all slides of a deck, because a new thread's memory is new to the system and has to be
//! cleared, which takes as long as the encoding.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::contrast::{Sample, contrast};
use crate::Picture;
use crate::png::{PngError, decode_foreign};

/// A finished picture, and the contrast of each text that was asked about.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) picture: Picture,
    pub(super) contrasts: Vec<Option<u32>>,
}

type Outcome = Result<Drawn, PngError>;

/// A picture being encoded.
#[derive(Debug)]
pub(super) struct Encoding(Receiver<Outcome>);

impl Encoding {
    /// Waits for the picture. Its number is given later.
    pub(super) fn finish(self) -> Outcome {
        let stopped = || PngError::Damaged("the encoder stopped".to_owned());
        self.0.recv().unwrap_or_else(|_| Err(stopped()))
    }
}

struct Job {
    png: Vec<u8>,
    samples: Vec<Option<Sample>>,
    done: Sender<Outcome>,
}

/// The thread, which is started for the first picture and ends after the last.
#[derive(Debug, Default)]
pub(super) struct Encoder(Option<Sender<Job>>);

impl Encoder {
    /// Decodes the browser's picture and encodes it with the one encoder.
    pub(super) fn encode(&mut self, png: Vec<u8>, samples: Vec<Option<Sample>>) -> Encoding {
        let (done, outcome) = channel();
        let job = Job { png, samples, done };
        // Whoever waits for a job that nobody took learns that the encoder stopped.
        drop(self.0.get_or_insert_with(start).send(job));
        Encoding(outcome)
    }
}

fn start() -> Sender<Job> {
    let (jobs, waiting) = channel::<Job>();
    std::thread::spawn(move || {
        for Job { png, samples, done } in waiting {
            // A deck that was given up waits for nothing.
            drop(done.send(draw(&png, &samples)));
        }
    });
    jobs
}

fn draw(png: &[u8], samples: &[Option<Sample>]) -> Outcome {
    let image = decode_foreign(png)?;
    let contrasts = samples
        .iter()
        .map(|sample| contrast(&image, sample.as_ref()?));
    Ok(Drawn {
        contrasts: contrasts.collect(),
        picture: Picture::from_image(0, &image)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::{RgbImage, encode};

    #[test]
    fn pictures_come_out_in_turn_and_a_bad_one_stops_no_other() {
        let white = encode(&RgbImage::filled(1280, 720, [255; 3])).unwrap();
        let black = encode(&RgbImage::filled(1280, 720, [0; 3])).unwrap();
        let mut encoder = Encoder::default();
        let jobs = [white.clone(), b"no picture".to_vec(), black.clone()];
        let waiting = jobs.map(|png| encoder.encode(png, Vec::new()));
        drop(encoder);
        let [first, second, third] = waiting.map(Encoding::finish);
        assert_eq!(first.unwrap().picture.png, white);
        assert!(second.is_err());
        assert_eq!(third.unwrap().picture.png, black);
    }
}
