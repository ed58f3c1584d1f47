//! Derives random texts from a grammar in GBNF: as much of the notation as our grammars use.

use std::{collections::HashMap, iter::Peekable, str::Chars};

#[derive(Clone, Debug)]
enum Node {
    Literal(String),
    /// Ranges, and whether the characters are those outside of them.
    Class(Vec<(char, char)>, bool),
    Rule(String),
    Choice(Vec<Vec<Node>>),
    Repeat(Box<Node>, u32, Option<u32>),
}

/// How many rules within each other are deep.
const DEEP: u32 = 12;

impl Node {
    /// Whether it can end without another rule.
    fn ends(&self) -> bool {
        match self {
            Self::Literal(_) | Self::Class(..) => true,
            Self::Rule(_) => false,
            Self::Choice(choices) => choices.iter().any(|it| it.iter().all(Self::ends)),
            Self::Repeat(inner, least, _) => *least == 0 || inner.ends(),
        }
    }
}

/// A grammar as it was read.
#[derive(Debug)]
pub(crate) struct Grammar {
    rules: HashMap<String, Node>,
}

impl Grammar {
    /// Reads one rule a line. Stops at the first surprise: names without a rule, unknown signs.
    pub(crate) fn read(text: &str) -> Self {
        let lines = text.lines().map(|line| line.split_once(" ::= ").unwrap());
        let rules: HashMap<_, _> =
            lines.map(|(name, body)| (name.to_owned(), rule(body))).collect();
        for node in rules.values() {
            assert_known(node, &rules);
        }
        Self { rules }
    }

    /// A text that the rule `root` derives; the same seed gives the same text.
    pub(crate) fn derive(&self, seed: u64) -> String {
        let mut random = Random(seed);
        let mut out = String::new();
        self.write(&self.rules["root"], &mut random, 0, &mut out);
        out
    }

    fn write(&self, node: &Node, random: &mut Random, depth: u32, out: &mut String) {
        match node {
            Node::Literal(text) => out.push_str(text),
            Node::Class(ranges, is_negated) => out.push(random.char(ranges, *is_negated)),
            Node::Rule(name) => self.write(&self.rules[name], random, depth + 1, out),
            Node::Choice(choices) => {
                // Deep down, the first choice that ends without another rule.
                let ends = |it: &&Vec<Node>| it.iter().all(Node::ends);
                let last = choices.iter().find(ends).filter(|_| DEEP < depth);
                let choice = last.unwrap_or_else(|| &choices[random.below(choices.len())]);
                choice.iter().for_each(|it| self.write(it, random, depth, out));
            }
            Node::Repeat(inner, least, most) => {
                let most = most.unwrap_or(least + 4).min(least + 12).max(*least);
                let most = if DEEP < depth { *least } else { most };
                let n = least + random.below((most - least + 1) as usize) as u32;
                (0..n).for_each(|_| self.write(inner, random, depth, out));
            }
        }
    }
}

fn assert_known(node: &Node, rules: &HashMap<String, Node>) {
    match node {
        Node::Rule(name) => assert!(rules.contains_key(name), "no rule `{name}`"),
        Node::Choice(choices) => choices.iter().flatten().for_each(|it| assert_known(it, rules)),
        Node::Repeat(inner, ..) => assert_known(inner, rules),
        Node::Literal(_) | Node::Class(..) => (),
    }
}

fn rule(body: &str) -> Node {
    let mut rest = body.chars().peekable();
    let node = choice(&mut rest);
    assert_eq!(rest.next(), None, "{body}");
    node
}

fn choice(rest: &mut Peekable<Chars<'_>>) -> Node {
    let mut choices = vec![Vec::new()];
    while let Some(&c) = rest.peek() {
        match c {
            ' ' => drop(rest.next()),
            '|' => {
                rest.next();
                choices.push(Vec::new());
            }
            ')' => break,
            _ => {
                let node = repeated(single(rest), rest);
                choices.last_mut().unwrap().push(node);
            }
        }
    }
    Node::Choice(choices)
}

fn single(rest: &mut Peekable<Chars<'_>>) -> Node {
    match rest.next().unwrap() {
        '"' => literal(rest),
        '[' => class(rest),
        '(' => {
            let node = choice(rest);
            assert_eq!(rest.next(), Some(')'));
            node
        }
        first => {
            let mut name = String::from(first);
            while let Some(c) = rest.next_if(|it| it.is_ascii_alphanumeric() || *it == '-') {
                name.push(c);
            }
            Node::Rule(name)
        }
    }
}

fn repeated(node: Node, rest: &mut Peekable<Chars<'_>>) -> Node {
    let (least, most) = match rest.peek() {
        Some('?') => (0, Some(1)),
        Some('*') => (0, None),
        Some('+') => (1, None),
        Some('{') => {
            let bounds: String = rest.by_ref().skip(1).take_while(|it| *it != '}').collect();
            let (least, most) = match bounds.split_once(',') {
                None => (bounds.as_str(), bounds.as_str()),
                Some(bounds) => bounds,
            };
            return Node::Repeat(node.into(), least.parse().unwrap(), most.parse().ok());
        }
        Some(_) | None => return node,
    };
    rest.next();
    Node::Repeat(node.into(), least, most)
}

fn literal(rest: &mut Peekable<Chars<'_>>) -> Node {
    let mut text = String::new();
    loop {
        match rest.next().unwrap() {
            '"' => return Node::Literal(text),
            '\\' => text.push(escape(rest)),
            c => text.push(c),
        }
    }
}

fn class(rest: &mut Peekable<Chars<'_>>) -> Node {
    let is_negated = rest.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    loop {
        let first = match rest.next().unwrap() {
            ']' => return Node::Class(ranges, is_negated),
            '\\' => escape(rest),
            c => c,
        };
        let is_range = rest.clone().nth(1).is_some_and(|it| it != ']');
        let last = match rest.next_if(|it| *it == '-' && is_range) {
            None => first,
            Some(_) => match rest.next().unwrap() {
                '\\' => escape(rest),
                c => c,
            },
        };
        ranges.push((first, last));
    }
}

fn escape(rest: &mut Peekable<Chars<'_>>) -> char {
    let n_digits = match rest.next().unwrap() {
        'n' => return '\n',
        'r' => return '\r',
        't' => return '\t',
        'x' => 2,
        'u' => 4,
        c @ ('"' | '\\' | '[' | ']') => return c,
        c => panic!("unknown escape `{c}`"),
    };
    let digits: String = rest.by_ref().take(n_digits).collect();
    char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap()
}

/// Knuth's 64-bit linear congruence: enough to pick branches.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn char(&mut self, ranges: &[(char, char)], is_negated: bool) -> char {
        if !is_negated {
            let (first, last) = ranges[self.below(ranges.len())];
            let span = u32::from(last) - u32::from(first) + 1;
            return char::from_u32(u32::from(first) + self.below(span as usize) as u32).unwrap();
        }
        // What is likely to matter comes often: markup, quotes, blanks, line breaks.
        const LIKELY: [char; 20] = [
            ']', '>', '<', '/', '"', '\'', '&', ' ', '\n', '\r', '\t', '{', '}', '`', '\\', '-',
            'a', 'Z', 'é', '漢',
        ];
        loop {
            let c = match self.below(3) {
                0 => char::from_u32(self.below(0x11_0000) as u32).unwrap_or('x'),
                _ => LIKELY[self.below(LIKELY.len())],
            };
            if !ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) {
                return c;
            }
        }
    }
}
