// SPDX-License-Identifier: MIT OR Apache-2.0
//! Splits shell text into commands, words and redirections, as bash would before it runs anything.
//!
//! It is no shell: it keeps what decides which paths a command names (quotes, expansions, substitutions,
//! here-documents, subshells) and passes over what does not (arithmetic, job control, conditions).

/// The longest text that is split, in bytes.
pub(super) const MOST_BYTES: usize = 1 << 20;
/// The deepest nesting of substitutions.
const MOST_DEPTH: usize = 24;

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text as it stands; globs and braces count only where it is not quoted.
    Text { text: String, quoted: bool },
    /// The value of a variable.
    Variable { name: String, quoted: bool },
    /// The output of commands.
    Output { script: Vec<Step> },
    /// Something whose value cannot be told.
    Opaque,
}

/// A word, as a list of pieces without gaps.
pub(super) type Word = Vec<Piece>;

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    pub(super) words: Vec<Word>,
    /// Files that are read or written by redirection.
    pub(super) files: Vec<Word>,
    /// Text given as standard input.
    pub(super) input: Vec<Word>,
    /// Whether its input comes from the command before.
    pub(super) piped: bool,
}

/// A step of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Runs a command.
    Run(Simple),
    /// Begins a subshell.
    Open,
    /// Ends a subshell.
    Close,
}

/// Why a text could not be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unsplit(pub(super) &'static str);

/// Splits `text`.
pub(super) fn split(text: &str) -> Result<Vec<Step>, Unsplit> {
    split_at_depth(text, 0)
}

fn split_at_depth(text: &str, depth: usize) -> Result<Vec<Step>, Unsplit> {
    if depth > MOST_DEPTH {
        return Err(Unsplit("nested too deeply"));
    }
    if text.len() > MOST_BYTES {
        return Err(Unsplit("too long"));
    }
    let mut splitter = Splitter {
        text: text.chars().collect(),
        at: 0,
        depth,
        steps: Vec::new(),
        command: Simple::default(),
        word: None,
        redirection: None,
        here: Vec::new(),
    };
    splitter.run()?;
    Ok(splitter.steps)
}

/// What the next word is for, when it is no argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Redirection {
    File,
    HereString,
    HereDocument { tabs: bool },
}

#[derive(Debug)]
struct HereDocument {
    end: String,
    literal: bool,
    tabs: bool,
    /// The step whose input it is; the command may not be filed yet.
    owner: usize,
}

struct Splitter {
    text: Vec<char>,
    at: usize,
    depth: usize,
    steps: Vec<Step>,
    command: Simple,
    word: Option<Word>,
    redirection: Option<Redirection>,
    here: Vec<HereDocument>,
}

impl Splitter {
    fn run(&mut self) -> Result<(), Unsplit> {
        while let Some(character) = self.next() {
            match character {
                '\n' => {
                    self.end_command(false);
                    self.read_here_documents()?;
                }
                character if character.is_whitespace() => self.end_word(),
                ';' => self.end_command(false),
                '&' if self.peek() == Some('>') => {
                    self.end_word();
                    self.redirect()?;
                }
                '&' => {
                    self.end_command(false);
                }
                '|' => {
                    let alternative = self.take('|');
                    self.take('&');
                    self.end_command(!alternative);
                }
                '(' => {
                    self.end_command(false);
                    self.steps.push(Step::Open);
                }
                ')' => {
                    self.end_command(false);
                    self.steps.push(Step::Close);
                }
                '<' | '>' => {
                    self.at -= 1;
                    self.redirect()?;
                }
                '#' if self.word.is_none() => self.skip_comment(),
                other => self.piece(other)?,
            }
        }
        self.end_command(false);
        self.read_here_documents()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.text.get(self.at).copied();
        self.at += usize::from(found.is_some());
        found
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|character| character != '\n') {
            self.at += 1;
        }
    }

    fn push(&mut self, piece: Piece) {
        self.word.get_or_insert_default().push(piece);
    }

    fn push_text(&mut self, more: &str, quoted: bool) {
        match self.word.get_or_insert_default().last_mut() {
            Some(Piece::Text { text, quoted: same }) if *same == quoted => text.push_str(more),
            _ => self.push(Piece::Text {
                text: more.to_owned(),
                quoted,
            }),
        }
    }

    fn piece(&mut self, first: char) -> Result<(), Unsplit> {
        match first {
            '\\' => match self.next() {
                Some('\n') => {}
                Some(character) => self.push_text(&character.to_string(), true),
                None => self.push_text("\\", true),
            },
            '\'' => {
                let text = self.until('\'')?;
                self.push_text(&text, true);
            }
            '"' => {
                let pieces = self.double_quoted()?;
                self.word.get_or_insert_default().extend(pieces);
            }
            '`' => {
                let piece = self.backquoted()?;
                self.push(piece);
            }
            '$' => {
                let piece = self.dollar(false)?;
                self.push(piece);
            }
            other => self.push_text(&other.to_string(), false),
        }
        Ok(())
    }

    fn until(&mut self, end: char) -> Result<String, Unsplit> {
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(Unsplit("a quote is not closed")),
                Some(character) if character == end => return Ok(text),
                Some(character) => text.push(character),
            }
        }
    }

    fn double_quoted(&mut self) -> Result<Vec<Piece>, Unsplit> {
        let mut pieces = vec![Piece::Text {
            text: String::new(),
            quoted: true,
        }];
        loop {
            let text = match self.next() {
                None => return Err(Unsplit("a quote is not closed")),
                Some('"') => return Ok(pieces),
                Some('$') => {
                    pieces.push(self.dollar(true)?);
                    continue;
                }
                Some('`') => {
                    pieces.push(self.backquoted()?);
                    continue;
                }
                Some('\\') => match self.next() {
                    Some('\n') | None => continue,
                    Some(character @ ('$' | '`' | '"' | '\\')) => character.to_string(),
                    Some(character) => format!("\\{character}"),
                },
                Some(character) => character.to_string(),
            };
            match pieces.last_mut() {
                Some(Piece::Text { text: before, .. }) => before.push_str(&text),
                _ => pieces.push(Piece::Text { text, quoted: true }),
            }
        }
    }

    fn backquoted(&mut self) -> Result<Piece, Unsplit> {
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(Unsplit("a backquote is not closed")),
                Some('`') => break,
                Some('\\') => text.extend(self.next()),
                Some(character) => text.push(character),
            }
        }
        Ok(Piece::Output {
            script: split_at_depth(&text, self.depth + 1)?,
        })
    }

    fn dollar(&mut self, quoted: bool) -> Result<Piece, Unsplit> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let arithmetic = self.peek() == Some('(');
                let text = self.bracketed('(', ')')?;
                if arithmetic && text.ends_with(')') {
                    return Ok(number());
                }
                Ok(Piece::Output {
                    script: split_at_depth(&text, self.depth + 1)?,
                })
            }
            Some('{') => {
                self.at += 1;
                let text = self.bracketed('{', '}')?;
                Ok(braced(text, quoted))
            }
            Some('\'') if !quoted => {
                self.at += 1;
                self.escaped_quote()
            }
            Some('"') if !quoted => Ok(Piece::Text {
                text: String::new(),
                quoted: true,
            }),
            Some('?' | '$' | '!' | '#') => {
                self.at += 1;
                Ok(number())
            }
            Some('@' | '*' | '0'..='9' | '-') => {
                self.at += 1;
                Ok(Piece::Opaque)
            }
            Some(character) if is_name(character) => {
                let mut name = String::new();
                while let Some(character) = self.peek().filter(|character| is_name(*character)) {
                    name.push(character);
                    self.at += 1;
                }
                Ok(Piece::Variable { name, quoted })
            }
            _ => Ok(Piece::Text {
                text: "$".to_owned(),
                quoted: true,
            }),
        }
    }

    /// The text up to the bracket that closes one that was just passed.
    fn bracketed(&mut self, open: char, close: char) -> Result<String, Unsplit> {
        let mut text = String::new();
        let mut level = 1_usize;
        let mut quote = None;
        while let Some(character) = self.next() {
            match (character, quote) {
                ('\\', None | Some('"')) => {
                    text.push(character);
                    text.extend(self.next());
                    continue;
                }
                (character, Some(end)) if character == end => quote = None,
                (_, Some(_)) => {}
                ('\'' | '"', None) => quote = Some(character),
                (character, None) if character == open => level += 1,
                (character, None) if character == close => level -= 1,
                _ => {}
            }
            if level == 0 {
                return Ok(text);
            }
            text.push(character);
        }
        Err(Unsplit("a bracket is not closed"))
    }

    /// `$'…'`, in which escapes could spell any path.
    fn escaped_quote(&mut self) -> Result<Piece, Unsplit> {
        let mut text = String::new();
        let mut escapes = false;
        loop {
            match self.next() {
                None => return Err(Unsplit("a quote is not closed")),
                Some('\'') => break,
                Some('\\') => match self.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(character @ ('\\' | '\'' | '"')) => text.push(character),
                    _ => escapes = true,
                },
                Some(character) => text.push(character),
            }
        }
        Ok(if escapes {
            Piece::Opaque
        } else {
            Piece::Text { text, quoted: true }
        })
    }

    fn redirect(&mut self) -> Result<(), Unsplit> {
        // A number just before is a file descriptor and no argument.
        let number = matches!(self.word.as_deref(), Some([Piece::Text { text, quoted: false }])
            if text.chars().all(|character| character.is_ascii_digit()));
        if number {
            self.word = None;
        }
        self.end_word();
        let operator = self.operator();
        if matches!(operator.as_str(), "<" | ">") && self.peek() == Some('(') {
            self.at += 1;
            let text = self.bracketed('(', ')')?;
            self.push(Piece::Output {
                script: split_at_depth(&text, self.depth + 1)?,
            });
            return Ok(());
        }
        self.redirection = Some(match operator.as_str() {
            "<<" => Redirection::HereDocument {
                tabs: self.take('-'),
            },
            "<<<" => Redirection::HereString,
            _ => Redirection::File,
        });
        Ok(())
    }

    fn operator(&mut self) -> String {
        let mut operator = String::new();
        while let Some(character) = self
            .peek()
            .filter(|next| matches!(next, '<' | '>' | '&' | '|'))
        {
            let longer = format!("{operator}{character}");
            let known = [
                "<", ">", "<<", ">>", "<<<", "<&", ">&", "<>", ">|", "&>", "&>>",
            ];
            if !known.contains(&longer.as_str()) {
                break;
            }
            operator = longer;
            self.at += 1;
        }
        operator
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.redirection.take() {
            None => self.command.words.push(word),
            Some(Redirection::File) => self.command.files.push(word),
            Some(Redirection::HereString) => self.command.input.push(word),
            Some(Redirection::HereDocument { tabs }) => self.here.push(HereDocument {
                literal: word
                    .iter()
                    .any(|piece| matches!(piece, Piece::Text { quoted: true, .. })),
                end: literal_text(&word),
                tabs,
                owner: self.steps.len(),
            }),
        }
    }

    fn end_command(&mut self, pipes: bool) {
        self.end_word();
        let owned = self.here.iter().any(|here| here.owner == self.steps.len());
        let command = std::mem::take(&mut self.command);
        let empty = Simple {
            piped: command.piped,
            ..Simple::default()
        };
        if command != empty || owned {
            self.steps.push(Step::Run(command));
        }
        self.command.piped = pipes;
    }

    fn read_here_documents(&mut self) -> Result<(), Unsplit> {
        for here in std::mem::take(&mut self.here) {
            let body = self.here_body(&here);
            let word = if here.literal {
                vec![Piece::Text {
                    text: body,
                    quoted: true,
                }]
            } else {
                self.here_word(&body)?
            };
            if let Some(Step::Run(command)) = self.steps.get_mut(here.owner) {
                command.input.push(word);
            }
        }
        Ok(())
    }

    fn here_body(&mut self, here: &HereDocument) -> String {
        let mut body = String::new();
        while self.at < self.text.len() {
            let mut line = String::new();
            while let Some(character) = self.next().filter(|character| *character != '\n') {
                line.push(character);
            }
            let shown = if here.tabs {
                line.trim_start_matches('\t')
            } else {
                &line
            };
            if shown == here.end {
                break;
            }
            body.push_str(shown);
            body.push('\n');
        }
        body
    }

    /// The body of an unquoted here-document expands as a double-quoted text does.
    fn here_word(&self, body: &str) -> Result<Word, Unsplit> {
        let mut inner = Splitter {
            text: body.replace('"', "\\\"").chars().chain(['"']).collect(),
            at: 0,
            depth: self.depth + 1,
            steps: Vec::new(),
            command: Simple::default(),
            word: None,
            redirection: None,
            here: Vec::new(),
        };
        if inner.depth > MOST_DEPTH {
            return Err(Unsplit("nested too deeply"));
        }
        inner.double_quoted()
    }
}

fn number() -> Piece {
    Piece::Text {
        text: "0".to_owned(),
        quoted: true,
    }
}

fn braced(text: String, quoted: bool) -> Piece {
    if text.starts_with('#') {
        return number();
    }
    if !text.is_empty()
        && text.chars().all(is_name)
        && !text.starts_with(|c: char| c.is_ascii_digit())
    {
        return Piece::Variable { name: text, quoted };
    }
    Piece::Opaque
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The text of a word that has nothing to expand; expansions in it are left out.
pub(super) fn literal_text(word: &Word) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Text { text, .. } => text.clone(),
        _ => String::new(),
    };
    word.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of each command, with what cannot be told as `?`.
    fn shown(text: &str) -> Vec<Vec<String>> {
        let piece = |piece: &Piece| match piece {
            Piece::Text { text, .. } => text.clone(),
            Piece::Variable { name, .. } => format!("<{name}>"),
            Piece::Output { script } => format!("({})", script.len()),
            Piece::Opaque => "?".to_owned(),
        };
        let word = |word: &Word| word.iter().map(piece).collect::<String>();
        let step = |step: &Step| match step {
            Step::Run(simple) => {
                let files = simple.files.iter().map(|file| format!(">{}", word(file)));
                let input = simple.input.iter().map(|text| format!("<{}", word(text)));
                simple
                    .words
                    .iter()
                    .map(word)
                    .chain(files)
                    .chain(input)
                    .collect()
            }
            Step::Open => vec!["(".to_owned()],
            Step::Close => vec![")".to_owned()],
        };
        split(text).unwrap().iter().map(step).collect()
    }

    #[test]
    fn splits_commands_words_and_quotes() {
        assert_eq!(
            shown("cd ..&&cd ..&&ls"),
            [vec!["cd", ".."], vec!["cd", ".."], vec!["ls"]]
        );
        assert_eq!(
            shown(r#"a 'b c'"d e"\ f; g|h & i # j"#),
            [vec!["a", "b cd e f"], vec!["g"], vec!["h"], vec!["i"]]
        );
        assert_eq!(shown("x 'it'\"'\"'s'"), [["x", "it's"]]);
        assert_eq!(
            shown("(cd a; b)"),
            [vec!["("], vec!["cd", "a"], vec!["b"], vec![")"]]
        );
        assert_eq!(shown("a\\\nb"), [["ab"]]);
    }

    #[test]
    fn sees_redirections() {
        assert_eq!(
            shown("a >b 2>/dev/null <c"),
            [["a", ">b", ">/dev/null", ">c"]]
        );
        assert_eq!(shown("a 2>&1 &>d"), [["a", ">1", ">d"]]);
        assert_eq!(shown("a 12 >b"), [["a", "12", ">b"]]);
        assert_eq!(shown("cat <<< 'x y'"), [["cat", "<x y"]]);
        assert_eq!(shown("diff <(ls a) <(ls b)"), [["diff", "(1)", "(1)"]]);
    }

    #[test]
    fn reads_here_documents() {
        let found = shown("cat > f <<'EOF' && ls\n$x ../y\nEOF\nwc f");
        assert_eq!(
            found,
            [vec!["cat", ">f", "<$x ../y\n"], vec!["ls"], vec!["wc", "f"]]
        );
        let found = shown("cat <<-E\n\tone $(ls /) \"q\"\n\tE\n");
        assert_eq!(found, [["cat", "<one (1) \"q\"\n"]]);
        assert_eq!(shown("cat <<E\nnever ends"), [["cat", "<never ends\n"]]);
    }

    #[test]
    fn sees_expansions() {
        assert_eq!(
            shown("a $HOME/x ${Y}z ${Z%/*} $1 $? $((1+2))"),
            [["a", "<HOME>/x", "<Y>z", "?", "?", "0", "0"]]
        );
        assert_eq!(shown("ls \"$(cd ..&&pwd)\" `pwd`"), [["ls", "(2)", "(1)"]]);
        assert_eq!(shown("cat $'\\x2f' $'a b' $"), [["cat", "?", "a b", "$"]]);
    }

    #[test]
    fn refuses_what_it_cannot_split() {
        for bad in ["'", "\"a", "$(ls", "`a", "${a", &"$(".repeat(60)] {
            assert!(split(bad).is_err(), "{bad}");
        }
        let deep = format!("{}ls{}", "$(".repeat(40), ")".repeat(40));
        assert!(split(&deep).is_err());
        assert!(split(&"x".repeat(MOST_BYTES + 1)).is_err());
        assert!(split(")))").is_ok() && split("<<").is_ok() && split("").is_ok());
    }
}
