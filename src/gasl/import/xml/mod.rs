//! XML documents with a graph: the common part of GraphML and GEXF.

mod direction;
mod document;
mod element;
mod finish;
mod keys;
mod skipped;
mod xml_graph;

pub use direction::EdgeOrientation;
pub use document::{XmlHandler, read_xml};
pub use element::XmlElement;
pub use keys::{KeyDeclaration, KeyTarget};
pub use xml_graph::{KeyUse, XmlGraph, value_of};
