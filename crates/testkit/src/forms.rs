//! How other dialects write a call: one row each.

/// A dialect as templates. `{calls}`, `{name}`, `{args}`, `{key}` and `{value}` are filled in.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The dialect's name.
    pub dialect: &'static str,
    /// What stands around all calls.
    pub reply: &'static str,
    /// What stands around the arguments of one call.
    pub call: &'static str,
    /// How one argument is written.
    pub argument: Argument,
}

/// How arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// By this template, one behind the other, text as it is.
    Text(&'static str),
    /// As members of a JSON object, commas between.
    Json,
    /// As `key='value'`, commas between.
    Python,
}

use Argument::{Json, Python, Text};

const fn form(
    dialect: &'static str,
    reply: &'static str,
    call: &'static str,
    argument: Argument,
) -> Form {
    Form { dialect, reply, call, argument }
}

const OBJECT: &str = "{\"name\": \"{name}\", \"arguments\": {args}}";
const PARAMETERS: &str = "{\"name\": \"{name}\", \"parameters\": {args}}";
const INVOKE: &str = "<invoke name=\"{name}\">\n{args}</invoke>\n";
const PARAMETER: Argument = Text("<parameter name=\"{key}\">{value}</parameter>\n");
const FUNCTION: &str = "<function={name}>\n{args}</function>\n";
const TAGGED: Argument = Text("<parameter={key}>\n{value}\n</parameter>\n");

/// The dialect that most others come from.
pub const HERMES: Form = form(
    "hermes",
    "{calls}",
    "<tool_call>\n{\"name\": \"{name}\", \"arguments\": {args}}\n</tool_call>\n",
    Json,
);

/// A row for each dialect.
pub const FORMS: &[Form] = &[
    HERMES,
    form("longcat", "<longcat_tool_call>\n{calls}\n</longcat_tool_call>", OBJECT, Json),
    form(
        "granite",
        "{calls}",
        "<function_call> {\"name\": \"{name}\", \"arguments\": {args}}\n",
        Json,
    ),
    form("granite", "<|tool_call|>[{calls}]", OBJECT, Json),
    form("jamba", "<tool_calls>[{calls}]</tool_calls>", OBJECT, Json),
    form("nemotron", "<TOOLCALL>[{calls}]</TOOLCALL>", OBJECT, Json),
    form("internlm2", "<|action_start|><|plugin|>\n{calls}<|action_end|>", PARAMETERS, Json),
    form("phi4", "functools[{calls}]", OBJECT, Json),
    form(
        "cohere",
        "<|START_ACTION|>[{calls}]<|END_ACTION|>",
        "{\"tool_call_id\": \"0\", \"tool_name\": \"{name}\", \"parameters\": {args}}",
        Json,
    ),
    form(
        "command_r_plus",
        "Action:\n```json\n[{calls}]\n```",
        "{\"tool_name\": \"{name}\", \"parameters\": {args}}",
        Json,
    ),
    form("apertus", "<|tools_prefix|>[{calls}]<|tools_suffix|>", "{\"{name}\": {args}}", Json),
    form("gigachat", "function call<|role_sep|>\n{calls}", OBJECT, Json),
    form("functionary", "{calls}", "<function={name}>{args}</function>", Json),
    form("llama3_json", "{calls}", PARAMETERS, Json),
    form("mistral_v3", "[TOOL_CALLS][{calls}]", OBJECT, Json),
    form("mistral_v11", "{calls}", "[TOOL_CALLS]{name}[ARGS]{args}", Json),
    form(
        "kimi_k2",
        "<|tool_calls_section_begin|>{calls}<|tool_calls_section_end|>",
        "<|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{args}<|tool_call_end|>",
        Json,
    ),
    form(
        "deepseek_v3",
        "<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>",
        "<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{args}\n```<｜tool▁call▁end｜>",
        Json,
    ),
    form(
        "deepseek_v31",
        "<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>",
        "<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{args}<｜tool▁call▁end｜>",
        Json,
    ),
    form("bracket_call", "{calls}", "[Calling tool: {name}({args})]\n", Json),
    form("fenced_json", "```json\n{calls}\n```", "{\"tool\": \"{name}\", \"args\": {args}}", Json),
    form("qwen3xml", "<tool_call>\n{calls}</tool_call>", FUNCTION, TAGGED),
    form("seed_oss", "<seed:tool_call>\n{calls}</seed:tool_call>", FUNCTION, TAGGED),
    form("openhands", "{calls}", FUNCTION, Text("<parameter={key}>{value}</parameter>\n")),
    form("anthropic", "<function_calls>\n{calls}</function_calls>", INVOKE, PARAMETER),
    form("minimax_m2", "<minimax:tool_call>\n{calls}</minimax:tool_call>", INVOKE, PARAMETER),
    form("dots", "<dots_function_call>\n{calls}</dots_function_call>", INVOKE, PARAMETER),
    form(
        "minimax_m3",
        "]<]minimax[>[<tool_call>\n{calls}]<]minimax[>[</tool_call>",
        "]<]minimax[>[<invoke name=\"{name}\">{args}]<]minimax[>[</invoke>\n",
        Text("]<]minimax[>[<{key}>{value}]<]minimax[>[</{key}>"),
    ),
    form(
        "step3",
        "<｜tool_calls_begin｜>{calls}<｜tool_calls_end｜>",
        "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"{name}\">{args}</steptml:invoke><｜tool_call_end｜>",
        Text("<steptml:parameter name=\"{key}\">{value}</steptml:parameter>"),
    ),
    form(
        "minicpm5",
        "{calls}",
        "<function name=\"{name}\">{args}</function>",
        Text("<param name=\"{key}\"><![CDATA[{value}]]></param>"),
    ),
    form(
        "dsml_v32",
        "<｜DSML｜function_calls>\n{calls}</｜DSML｜function_calls>",
        "<｜DSML｜invoke name=\"{name}\">\n{args}</｜DSML｜invoke>\n",
        Text("<｜DSML｜parameter name=\"{key}\" string=\"true\">{value}</｜DSML｜parameter>\n"),
    ),
    form(
        "dsml_v41",
        "<｜DSML｜ calls>\n{calls}</｜DSML｜ calls>",
        "<｜DSML｜ invoke name=\"{name}\">\n{args}</｜DSML｜ invoke>\n",
        Text("<｜DSML｜ parameter name=\"{key}\" string=\"true\">{value}</｜DSML｜ parameter>\n"),
    ),
    form(
        "glm45",
        "{calls}",
        "<tool_call>{name}\n{args}</tool_call>\n",
        Text("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n"),
    ),
    form(
        "glm47",
        "{calls}",
        "<tool_call>{name}{args}</tool_call>",
        Text("<arg_key>{key}</arg_key><arg_value>{value}</arg_value>"),
    ),
    form(
        "hunyuan_v3",
        "<tool_calls>\n{calls}</tool_calls>",
        "<tool_call>{name}<tool_sep>\n{args}</tool_call>\n",
        Text("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n"),
    ),
    form("cwm", "{calls}", "<tool: {name}>\n{args}\n</tool>", Text("{value}")),
    form(
        "kimi_k3",
        "<|open|>tools<|sep|>{calls}<|close|>tools<|sep|>",
        "<|open|>call tool=\"{name}\" index=\"1\"<|sep|>{args}<|close|>call<|sep|>",
        Text(
            "<|open|>argument key=\"{key}\" type=\"string\"<|sep|>{value}<|close|>argument<|sep|>",
        ),
    ),
    form(
        "gemma4",
        "{calls}",
        "<|tool_call>call:{name}{{args}}<tool_call|>",
        Text("{key}:<|\"|>{value}<|\"|>,"),
    ),
    form(
        "functiongemma",
        "{calls}",
        "<start_function_call>call:{name}{{args}}<end_function_call>",
        Text("{key}:<escape>{value}<escape>,"),
    ),
    form(
        "harmony",
        "{calls}",
        "<|start|>assistant<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{args}<|call|>",
        Json,
    ),
    form("pythonic", "[{calls}]", "{name}({args})", Python),
    form("llama4_pythonic", "<|python_start|>[{calls}]<|python_end|>", "{name}({args})", Python),
    form("lfm2", "<|tool_call_start|>[{calls}]<|tool_call_end|>", "{name}({args})", Python),
    form("olmo3", "<function_calls>\n{calls}\n</function_calls>", "{name}({args})", Python),
    form("tool_code", "```tool_code\n{calls}\n```", "{name}({args})", Python),
    form("react", "Action: {calls}", "{name}\nAction Input: {args}\n", Json),
    form(
        "arrow",
        "[TOOL_CALL]\n{calls}\n[/TOOL_CALL]",
        "{tool => \"{name}\", args => {\n{args}}}",
        Text("--{key} \"{value}\"\n"),
    ),
    form("yaml_xml", "{calls}", "<{name}>\n{args}</{name}>", Text("{key}: {value}\n")),
];

impl Form {
    /// Writes a reply of calls: names with arguments.
    #[must_use]
    pub fn write(&self, calls: &[(String, Vec<(String, String)>)]) -> String {
        let is_list = self.reply.contains('[') && self.argument != Text("");
        let gap = if is_list && matches!(self.argument, Json | Python) { ", " } else { "" };
        let calls: Vec<String> = calls.iter().map(|(name, args)| self.call(name, args)).collect();
        self.reply.replacen("{calls}", &calls.join(gap), 1)
    }

    /// Writes a reply of one call, with its arguments as they stand.
    #[must_use]
    pub fn around(&self, name: &str, arguments: &str) -> String {
        let call = self.call.replacen("{name}", name, 1).replacen("{args}", arguments, 1);
        self.reply.replacen("{calls}", &call, 1)
    }

    fn call(&self, name: &str, arguments: &[(String, String)]) -> String {
        let call = self.call.replace("{name}", name);
        let (before, behind) = call.split_once("{args}").unwrap_or((&call, ""));
        let pair = |(key, value): &(String, String)| match self.argument {
            Text(template) => template.replace("{key}", key).replacen("{value}", value, 1),
            Json => format!("{}: {}", json_text(key), json_text(value)),
            Python => format!("{key}={}", python_text(value)),
        };
        let pairs: Vec<String> = arguments.iter().map(pair).collect();
        let arguments = match self.argument {
            Text(_) => pairs.concat(),
            Json => format!("{{{}}}", pairs.join(", ")),
            Python => pairs.join(", "),
        };
        format!("{before}{arguments}{behind}")
    }
}

/// A text as JSON writes it.
#[must_use]
pub fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A text as Python writes it.
fn python_text(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
    format!("'{text}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(dialect: &str, expected: &str) {
        let form = FORMS.iter().find(|form| form.dialect == dialect).unwrap();
        let call = |city: &str| ("f".to_owned(), vec![("city".to_owned(), city.to_owned())]);
        assert_eq!(form.write(&[call("a \"b\""), call("c")]), expected);
    }

    #[test]
    fn a_row_writes_calls() {
        check(
            "mistral_v3",
            "[TOOL_CALLS][{\"name\": \"f\", \"arguments\": {\"city\": \"a \\\"b\\\"\"}}, \
             {\"name\": \"f\", \"arguments\": {\"city\": \"c\"}}]",
        );
        check(
            "anthropic",
            "<function_calls>\n<invoke name=\"f\">\n<parameter name=\"city\">a \"b\"</parameter>\n\
             </invoke>\n<invoke name=\"f\">\n<parameter name=\"city\">c</parameter>\n</invoke>\n\
             </function_calls>",
        );
        check("pythonic", "[f(city='a \"b\"'), f(city='c')]");
        check(
            "gemma4",
            "<|tool_call>call:f{city:<|\"|>a \"b\"<|\"|>,}<tool_call|><|tool_call>call:f{city:<|\"|>c<|\"|>,}<tool_call|>",
        );
    }
}
