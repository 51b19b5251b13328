//! Prompt templates: one Markdown file and one typed struct each, rendered strictly.
//!
//! The files stand in `prompts/`. Each opens with front matter that names its variables and, for
//! each, the most characters it may grow to. Border: text in, text out.

mod template;

pub use template::{Problem, Template, substitute};

/// Declares a prompt: its struct, its file, its variables.
macro_rules! prompts {
    ($($(#[$doc:meta])* $name:ident, $file:literal, { $($(#[$field_doc:meta])* $field:ident),* };)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy)]
            pub struct $name<'a> {
                $($(#[$field_doc])* pub $field: &'a str,)*
            }

            impl $name<'_> {
                const SOURCE: &'static str = include_str!(concat!("../../../prompts/", $file, ".md"));

                /// The text, with each variable cut to its cap.
                #[must_use]
                pub fn render(&self) -> String {
                    Template::parse(Self::SOURCE).render(&[$((stringify!($field), self.$field)),*])
                }
            }
        )*

        #[cfg(test)]
        const ALL: &[(&str, &str, &[&str])] = &[
            $(($file, $name::SOURCE, &[$(stringify!($field)),*]),)*
        ];
    };
}

prompts! {
    /// Asks for persona, questions, length, reasoning and temperature, as JSON.
    Setup, "setup", {
        /// The question.
        query,
        /// The present, in words.
        now
    };
    /// Asks for a question that stands alone, where the set-up is asked for.
    Conversation, "conversation", {
        /// What lines around outside text begin with.
        fence,
        /// What was said before, between lines that begin with the mark.
        turns
    };
    /// What was said before, for the writer.
    Earlier, "earlier", {
        /// What lines around outside text begin with.
        fence,
        /// What was said before, between lines that begin with the mark.
        turns
    };
    /// How the caller wants to be answered.
    Wishes, "wishes", {
        /// What lines around outside text begin with.
        fence,
        /// The caller's words, between lines that begin with the mark.
        wishes
    };
    /// The planner's role.
    PlanningSystem, "planning_system", {
        /// The present, in words.
        now
    };
    /// Asks for the research plan, as JSON.
    Planning, "planning", {
        /// The question.
        query,
        /// From the set-up.
        persona,
        /// From the set-up, one a line.
        questions
    };
    /// The researcher's role and rules.
    ResearchSystem, "research_system", {
        /// From the plan.
        persona,
        /// When to call each tool on offer, one a line.
        rules,
        /// What lines around outside text begin with.
        fence,
        /// The present, in words.
        now
    };
    /// The task of the tool loop.
    ResearchUser, "research_user", {
        /// The question.
        query,
        /// From the plan, one a line.
        questions,
        /// From the set-up.
        response_length,
        /// From the set-up.
        reasoning_level
    };
    /// The task of the tool loop, for calculations.
    MathUser, "math_user", {
        /// The question.
        query
    };
    /// The writer's role and rules.
    FinalSystem, "final_system", {
        /// From the plan.
        persona,
        /// What lines around outside text begin with.
        fence,
        /// From the set-up.
        response_length,
        /// From the set-up.
        reasoning_level,
        /// The present, in words.
        now
    };
    /// The writer's rules for an answer from documents, with the passages that it may cite.
    ConsultSystem, "consult_system", {
        /// Passages under their labels, between lines that begin with the mark.
        context,
        /// What lines around outside text begin with.
        fence,
        /// The present, in words.
        now
    };
    /// Asks for the answer.
    Final, "final", {
        /// The question.
        query,
        /// Passages under their short ids.
        evidence
    };
    /// Asks for the answer in the fewest tokens.
    FinalFrugal, "final_frugal", {
        /// The question.
        query,
        /// Up to two results of programs, and passages under their short ids.
        evidence
    };
    /// Asks for the answer to a calculation.
    FinalMath, "final_math", {
        /// The question.
        query,
        /// Tool results.
        evidence
    };
    /// The role of whoever puts an answer into JSON, and what it keeps to.
    FinalFormatSystem, "final_format_system", {
        /// What lines around outside text begin with.
        fence
    };
    /// Asks for the answer as JSON.
    FinalFormat, "final_format", {
        /// The question.
        query,
        /// The answer in words and its sources, between lines that begin with the mark.
        answer
    };
    /// Asks for JSON where the model answers at once.
    FinalFormatDirect, "final_format_direct", {
        /// What the object is called.
        name
    };
    /// Asks for JSON again.
    FinalFormatAgain, "final_format_again", {
        /// What is wrong with it, one a line.
        problems
    };
    /// The role of whoever checks citations, and the form of the reply.
    CheckSystem, "check_system", {
        /// What lines around outside text begin with.
        fence
    };
    /// Asks for the verdicts on citations, as JSON.
    Check, "check", {
        /// Numbered sentences with their quotations.
        pairs
    };
    /// The role of whoever digests search results.
    DigestSystem, "digest_system", {
        /// What lines around outside text begin with.
        fence
    };
    /// The rule on outside text, for system prompts that the operator wrote.
    OutsideText, "outside_text", {
        /// What lines around outside text begin with.
        fence
    };
    /// What a person has said on the way, for prompts of a run.
    RunGuidance, "run_guidance", {
        /// It, one a line.
        guidance
    };
    /// Asks for the answer of a run's report and for questions that follow, as JSON.
    RunReport, "run_report", {
        /// What was to be found out.
        task,
        /// The questions with where they stand, between fences.
        tree,
        /// The findings with the short ids of their passages, between fences.
        findings,
        /// Passages under their short ids, between fences.
        passages,
        /// Who contradicts whom, between fences.
        conflicts,
        /// How it is to be written, in a few words.
        style,
        /// The language to write in.
        language,
        /// What people said on the way.
        guidance,
        /// What lines around outside text begin with.
        fence
    };
    /// Asks for a digest of search results.
    Digest, "digest", {
        /// What was searched for.
        query,
        /// Up to two results with their text.
        sources
    };
    /// Asks a run's planner for a node's search queries, as JSON.
    RunQueries, "run_queries", {
        /// What the run is to find out.
        task,
        /// What the node asks.
        question,
        /// What a person added on the way, one a line.
        guidance,
        /// Queries that were searched for, one a line.
        asked,
        /// What is missing, one a line.
        gaps,
        /// Queries at most.
        most,
        /// The rule on outside text, on a line of its own; empty where nothing stands between fences.
        outside,
        /// The present, in words.
        now
    };
    /// Asks a run's planner to part a node's question, as JSON.
    RunParts, "run_parts", {
        /// What the run is to find out.
        task,
        /// What the node asks.
        question,
        /// What is missing, one a line.
        gaps,
        /// The questions of the tree, one a line.
        asked,
        /// Parts at most.
        most,
        /// The rule on outside text, on a line of its own; empty where nothing stands between fences.
        outside
    };
    /// Asks a run's judge whether findings answer a node's question, as JSON.
    RunJudge, "run_judge", {
        /// What the node asks.
        question,
        /// Its findings with the tiers and dates of their sources, between fences.
        findings,
        /// Findings that contradict each other, between fences.
        conflicts,
        /// What lines around outside text begin with.
        fence,
        /// The present, in words.
        now
    };
    /// Asks a run's judge whether another round is worth it, as JSON.
    RunPass, "run_pass", {
        /// What the run is to find out.
        task,
        /// The questions with their states and findings, between fences.
        tree,
        /// What lines around outside text begin with.
        fence,
        /// The present, in words.
        now
    };
    /// Asks for the findings of a node of a run, as JSON.
    RunFindings, "run_findings", {
        /// What the node asks.
        question,
        /// What the run is to find out.
        task,
        /// Passages under their short ids, between lines that begin with the mark.
        passages,
        /// What lines around outside text begin with.
        fence,
        /// The present, in words.
        now
    };
}

#[cfg(test)]
mod tests {
    use super::{ALL, Setup, Template};

    #[test]
    fn every_file_fits_its_struct() {
        for (file, source, fields) in ALL {
            let template = Template::parse(source);
            assert_eq!(template.problems(fields), [], "{file}.md");
            assert_eq!(template.id(), *file);
        }
    }

    #[test]
    fn each_reply_is_shown_to_the_model_as_its_schema_has_it() {
        for (file, source, _) in ALL.iter().filter(|(_, source, _)| source.contains("\nschema: ")) {
            let path = format!("{}/../../prompts/schemas/{file}.json", env!("CARGO_MANIFEST_DIR"));
            assert!(source.contains(&format!("\nschema: schemas/{file}.json\n")), "{file}.md");
            let schema: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            let names: Vec<&str> =
                schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            let shown =
                source.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next());
            assert_eq!(shown.collect::<Vec<_>>(), names, "{file}.md");
        }
    }

    #[test]
    fn a_value_is_never_read_as_a_template() {
        let setup = Setup { query: "what is {{now}}?", now: "Friday" };
        let text = setup.render();
        assert!(text.contains("what is {{now}}?"));
        assert!(text.contains("It is now Friday."));
        assert!(!text.contains("version:"));
    }

    #[test]
    fn a_value_is_cut_at_its_cap() {
        let query = "é".repeat(40_000);
        let setup = Setup { query: &query, now: "" };
        assert_eq!(setup.render().matches('é').count(), 32_768);
    }
}
