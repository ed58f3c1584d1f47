//! Which models begin a reply inside of reasoning.

/// Parts of the names of models whose templates open the reasoning in the prompt, so that servers
/// which do not split it off send an end without a beginning.
const BEGIN_IN_THINKING: [&str; 8] = [
    "deepseek-r1",
    "r1-distill",
    "qwq",
    "-thinking",
    "nemotron-nano",
    "phi-4-reasoning",
    "phi-4-mini-reasoning",
    "smallthinker",
];

/// Whether the model of this name, such as `ollama/deepseek-r1:8b`, may begin there.
pub(crate) fn may_begin_in_thinking(model: &str) -> bool {
    let name = model.to_lowercase();
    BEGIN_IN_THINKING.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::may_begin_in_thinking;

    #[test]
    fn names_are_known_by_a_part_in_any_case() {
        let known = ["ollama/deepseek-r1:8b", "hf/Qwen3-4B-Thinking-2507", "lmstudio/QwQ-32B"];
        assert!(known.iter().all(|name| may_begin_in_thinking(name)));
        let others = ["openai/gpt-5", "ollama/qwen3:8b", "anthropic/claude-sonnet-4-5", "script"];
        assert!(!others.iter().any(|name| may_begin_in_thinking(name)));
    }
}
