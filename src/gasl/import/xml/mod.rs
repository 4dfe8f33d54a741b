//! XML documents with a graph: the common part of GraphML and GEXF.

mod document;
mod edge_orientation;
mod element;
mod finish;
mod keys;
mod skipped;
mod xml_graph;

pub use document::{XmlHandler, read_xml};
pub use edge_orientation::EdgeOrientation;
pub use element::XmlElement;
pub use keys::{KeyDeclaration, KeyTarget};
pub use xml_graph::{KeyUse, XmlGraph, value_of};
