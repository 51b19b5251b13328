//! The tree of questions: nodes, their states, and the order in which they are taken up.
//!
//! Border: knows no model, no search and no event; what becomes of a node is decided in `node.rs` and by the
//! policies. Source: the reference's sections 4 and 5.

use super::judgement::Basis;
use quarry_events::run::{NodeState, ResolutionReason, Sufficiency};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Names a node: `n1` is the root, and later ones follow in the order of their making.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(1);

    const fn place(self) -> usize {
        self.0.saturating_sub(1) as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

/// How often what was tried for a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptCounters {
    /// Times it was taken up.
    pub visits: u32,
    /// Queries that were searched for.
    pub queries: u32,
    /// Times it was parted.
    pub decompositions: u32,
}

/// A question of the tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its name.
    pub id: NodeId,
    /// The node that it is a part of; none for the root.
    pub parent: Option<NodeId>,
    /// Steps below the root.
    pub depth: u32,
    /// What it asks.
    pub question: String,
    /// Where it stands.
    pub state: NodeState,
    /// Why it is resolved or not, once it was worked on.
    pub resolution_reason: Option<ResolutionReason>,
    /// Its findings, by their places in the run.
    pub findings: Vec<usize>,
    /// Its sources, by their numbers in the evidence.
    pub sources: Vec<usize>,
    /// Those that a model was asked to read for it, and how many bytes of each there were then.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub read: BTreeMap<usize, usize>,
    /// How well it is answered, once that was judged.
    pub sufficiency: Option<Sufficiency>,
    /// What that was judged by; none where it is judged anew whatever there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_by: Option<Basis>,
    /// Whether it is judged at its next visit though nothing new is found: what suffices is another by now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_to_be_judged: bool,
    /// Its parts, in order.
    pub children: Vec<NodeId>,
    /// How often what was tried.
    pub attempts: AttemptCounters,
    /// Why its last visit could search for nothing; none where a query was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<SearchError>,
}

/// Why nothing could be searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchError {
    /// A sentence.
    pub message: String,
    /// Whether it is the same for every other search, too, until somebody sets something up.
    pub is_lasting: bool,
}

/// The tree of questions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Those that changed since somebody asked. No part of what the tree is.
    #[serde(skip)]
    touched: BTreeSet<NodeId>,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes
    }
}

impl Tree {
    /// A tree of its root alone.
    #[must_use]
    pub fn new(task: &str) -> Self {
        let mut tree = Tree { nodes: Vec::new(), touched: BTreeSet::new() };
        tree.add(None, task.to_owned());
        tree
    }

    /// Asks something else at the root. What answered it before may not; what is being worked on goes on.
    pub fn rename_root(&mut self, task: &str) {
        if let Some(root) = self.get_mut(NodeId::ROOT) {
            task.clone_into(&mut root.question);
            root.sufficiency = None;
            root.read.clear();
            root.judged_by = None;
            if matches!(root.state, NodeState::Resolved | NodeState::Unresolved) {
                (root.state, root.resolution_reason) = (NodeState::Pending, None);
            }
        }
    }

    /// What was read may be read again, and what was judged be judged again: it is asked for something else by now.
    pub fn forget_read(&mut self) {
        let was_asked = |node: &&mut Node| !node.read.is_empty() || node.judged_by.is_some();
        for node in self.nodes.iter_mut().filter(was_asked) {
            node.read.clear();
            node.judged_by = None;
            self.touched.insert(node.id);
        }
    }

    /// What was judged is judged again, by what was read: what suffices is another by now.
    pub fn forget_verdicts(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.sufficiency.is_some()) {
            node.judged_by = None;
            node.is_to_be_judged = true;
            self.touched.insert(node.id);
        }
    }

    /// Every node, in the order of their making.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of this name.
    #[must_use]
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.place())
    }

    /// The node of this name, to be changed.
    pub fn get_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        let node = self.nodes.get_mut(id.place())?;
        self.touched.insert(id);
        Some(node)
    }

    /// The nodes that changed since this was asked last.
    pub fn take_touched(&mut self) -> BTreeSet<NodeId> {
        std::mem::take(&mut self.touched)
    }

    /// Adds parts to a node, in this order.
    pub fn part(&mut self, parent: NodeId, questions: Vec<String>) -> Vec<NodeId> {
        let children: Vec<NodeId> =
            questions.into_iter().map(|question| self.add(Some(parent), question)).collect();
        if let Some(node) = self.get_mut(parent) {
            node.children.extend(&children);
            node.attempts.decompositions += 1;
        }
        children
    }

    fn add(&mut self, parent: Option<NodeId>, question: String) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len() + 1).unwrap_or(u32::MAX));
        let depth = parent.and_then(|parent| self.get(parent)).map_or(0, |node| node.depth + 1);
        self.touched.insert(id);
        self.nodes.push(Node {
            id,
            parent,
            depth,
            question,
            state: NodeState::Pending,
            resolution_reason: None,
            findings: Vec::new(),
            sources: Vec::new(),
            read: BTreeMap::new(),
            sufficiency: None,
            judged_by: None,
            is_to_be_judged: false,
            children: Vec::new(),
            attempts: AttemptCounters::default(),
            error: None,
        });
        id
    }

    /// What a round works on, depth first: nodes that are not resolved and have no part that is not. A node
    /// whose parts were worked on is looked at again after them, and is no work of its own.
    #[must_use]
    pub fn frontier(&self) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.collect(NodeId::ROOT, &mut found);
        found
    }

    fn collect(&self, id: NodeId, found: &mut Vec<NodeId>) {
        // Depth is bounded by the knob, and so is the recursion.
        let Some(node) = self.get(id).filter(|node| node.state != NodeState::Resolved) else {
            return;
        };
        let before = found.len();
        for child in &node.children {
            self.collect(*child, found);
        }
        if found.len() == before {
            found.push(id);
        }
    }

    /// What is pending or among these, depth first, without nodes that have such parts: they are looked at again
    /// after those.
    #[must_use]
    pub fn pending(&self, also: &BTreeSet<NodeId>) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.collect_pending(NodeId::ROOT, also, &mut found);
        found
    }

    fn collect_pending(&self, id: NodeId, also: &BTreeSet<NodeId>, found: &mut Vec<NodeId>) {
        let Some(node) = self.get(id) else { return };
        let before = found.len();
        for child in &node.children {
            self.collect_pending(*child, also, found);
        }
        let is_it = node.state == NodeState::Pending || also.contains(&id);
        if found.len() == before && is_it {
            found.push(id);
        }
    }

    /// The nodes below this one, in the order of their making.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        let children = self.get(id).map_or(&[][..], |node| &node.children);
        children.iter().filter_map(|child| self.get(*child))
    }

    /// How many nodes are in a state.
    #[must_use]
    pub fn count(&self, state: NodeState) -> usize {
        self.nodes.iter().filter(|node| node.state == state).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn the_frontier_is_what_is_open_at_the_bottom_depth_first() {
        let mut tree = Tree::new("why?");
        assert_eq!(tree.frontier(), [NodeId::ROOT]);
        let parts = tree.part(NodeId::ROOT, questions(&["a?", "b?", "c?"]));
        let below = tree.part(parts[0], questions(&["d?", "e?"]));
        assert_eq!(tree.frontier(), [below[0], below[1], parts[1], parts[2]]);
        for id in [below[0], below[1], parts[1]] {
            tree.get_mut(id).unwrap().state = NodeState::Resolved;
        }
        assert_eq!(tree.frontier(), [parts[0], parts[2]]);
        assert_eq!(
            tree.get(below[1]).map(|node| (node.depth, node.parent)),
            Some((2, Some(parts[0])))
        );
        tree.get_mut(NodeId::ROOT).unwrap().state = NodeState::Resolved;
        assert_eq!(tree.frontier(), []);
    }
}
