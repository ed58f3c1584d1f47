//! One call, written in each dialect.

use crate::TOOLS;

/// How calls are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `<write_file path="a"><![CDATA[…]]></write_file>`: the project's own.
    Native,
    /// `<write_file><path>a</path><content>…</content></write_file>`.
    Nested,
    /// `<tool_call><function=write_file><parameter=path>…`, as Qwen's coders write.
    Qwen,
    /// `<invoke name="write_file"><parameter name="path">…`.
    Invoke,
    /// The native one made well-formed, for readers of XML: one root, text escaped, `]]>` split.
    Xml,
}

/// One call of a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The tool's name.
    pub name: &'static str,
    /// Names and values of its attributes.
    pub attributes: Vec<(&'static str, String)>,
    /// Its body, if it has one.
    pub body: Option<String>,
}

impl Call {
    pub(crate) const fn new(
        name: &'static str,
        attributes: Vec<(&'static str, String)>,
        body: Option<String>,
    ) -> Self {
        Self { name, attributes, body }
    }

    /// The argument that the body is, and whether it is verbatim.
    #[must_use]
    pub fn body_argument(&self) -> (&'static str, bool) {
        let tool = TOOLS.iter().find(|tool| tool.name == self.name);
        tool.and_then(|tool| tool.body).unwrap_or_default()
    }

    /// All arguments by name, the body's last.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let attributes = self.attributes.iter().map(|(name, value)| (*name, value.as_str()));
        let body = self.body.as_deref().map(|body| (self.body_argument().0, body));
        attributes.chain(body)
    }

    /// The call as a model would write it.
    #[must_use]
    pub fn write(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::Native | Dialect::Xml => self.as_element(dialect == Dialect::Xml),
            Dialect::Nested => self.with_arguments(
                &format!("<{}>\n", self.name),
                |name, value| format!("<{name}>{value}</{name}>\n"),
                &format!("</{}>", self.name),
            ),
            Dialect::Qwen => self.with_arguments(
                &format!("<tool_call>\n<function={}>\n", self.name),
                |name, value| format!("<parameter={name}>\n{value}\n</parameter>\n"),
                "</function>\n</tool_call>",
            ),
            Dialect::Invoke => self.with_arguments(
                &format!("<invoke name=\"{}\">\n", self.name),
                |name, value| format!("<parameter name=\"{name}\">{value}</parameter>\n"),
                "</invoke>",
            ),
        }
    }

    fn with_arguments(
        &self,
        start: &str,
        argument: impl Fn(&str, &str) -> String,
        end: &str,
    ) -> String {
        let arguments: String = self.arguments().map(|(k, v)| argument(k, v)).collect();
        format!("{start}{arguments}{end}")
    }

    fn as_element(&self, is_xml: bool) -> String {
        let attribute = |(name, value): &(&str, String)| format!(" {name}=\"{}\"", escaped(value));
        let attributes: String = self.attributes.iter().map(attribute).collect();
        let (name, is_verbatim) = (self.name, self.body_argument().1);
        let body = match &self.body {
            None => return format!("<{name}{attributes}/>"),
            Some(body) if is_verbatim => {
                let split = if is_xml { "]]]]><![CDATA[>" } else { "]]>" };
                // The line breaks around a file of several lines are layout.
                let layout = if body.contains('\n') { "\n" } else { "" };
                format!("<![CDATA[{layout}{}{layout}]]>", body.replace("]]>", split))
            }
            Some(body) if is_xml => escaped(body),
            Some(body) => body.clone(),
        };
        format!("<{name}{attributes}>{body}</{name}>")
    }
}

/// Text as XML wants it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
