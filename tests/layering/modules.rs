//! Graph of the modules of the crate: which module names items of which other one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, UseTree};

/// Modules by path (`flow::wiring::uses`; the crate root is the empty path).
#[derive(Default)]
pub struct Modules(BTreeMap<String, Module>);

/// Names of one module, without those of its tests.
#[derive(Default)]
struct Module {
    /// Functions, types, constants and macros that it defines.
    items: BTreeSet<String>,
    /// Structs, enums and traits that it defines, also inside functions.
    types: Vec<String>,
    imports: Vec<Import>,
    /// Paths of two or more names in code.
    paths: Vec<Vec<String>>,
}

struct Import {
    /// Name in scope; `*` for a glob.
    name: String,
    path: Vec<String>,
    is_public: bool,
}

impl Modules {
    /// Reads the sources in this folder.
    pub fn read(src: &Path) -> Modules {
        let mut modules = Modules::default();
        for path in super::rust_files(src) {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            let name = path.strip_prefix(src).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            // Packages inside `src` list their one module.
            if !name.ends_with("/lib.rs") {
                modules.add_source(&module_path(&name), &text);
            }
        }
        modules.remove_tests();
        modules
    }

    /// Adds the module with this path and the modules inside its source.
    pub fn add_source(&mut self, module: &str, text: &str) {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{module}: {error}"));
        self.0.entry(String::new()).or_default();
        self.add_items(module, &file.items);
    }

    fn add_items(&mut self, module: &str, items: &[Item]) {
        let mut collector = Collector::default();
        for item in items {
            match item {
                Item::Mod(ItemMod { attrs, ident, content, .. }) if !is_test(attrs) => {
                    let inner = join(module, &ident.to_string());
                    match content {
                        Some((_, items)) => self.add_items(&inner, items),
                        None => drop(self.0.entry(inner).or_default()),
                    }
                }
                _ => {
                    collector.module.items.extend(item_name(item));
                    collector.visit_item(item);
                }
            }
        }
        *self.0.entry(module.to_owned()).or_default() = collector.module;
    }

    /// Removes modules whose `mod` item is only compiled for tests.
    fn remove_tests(&mut self) {
        self.0.retain(|path, _| path.rsplit("::").next().is_none_or(|name| name != "tests"));
    }

    /// Modules that import each other, directly or not (strongly connected components).
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let edges = self.edges();
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            edges.keys().map(|from| (*from, reachable(&edges, from))).collect();
        let mut circles = BTreeSet::new();
        for (from, targets) in &reached {
            let circle: Vec<&str> =
                targets.iter().copied().filter(|to| reached[to].contains(from)).collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    /// For each module the modules whose items it names; a re-export from its own child does not count.
    pub fn edges(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let targets = |path: &String, module: &Module| {
            let own_child = |to: &str| to.starts_with(&format!("{path}::"));
            let imports = module.imports.iter().filter_map(|import| {
                let to = self.definition(path, &import.path, 0)?;
                (!(import.is_public && own_child(to))).then_some(to)
            });
            let paths = module.paths.iter().filter_map(|names| self.definition(path, names, 0));
            imports.chain(paths).filter(|to| to != path).collect()
        };
        self.0.iter().map(|(path, module)| (path.as_str(), targets(path, module))).collect()
    }

    /// Returns the module that defines the item at the path `names`, as seen from module `from`.
    /// `None` for a module, an item of another crate, and a local name.
    fn definition(&self, from: &str, names: &[String], depth: usize) -> Option<&str> {
        let (first, mut rest) = names.split_first()?;
        let mut module = match first.as_str() {
            "crate" => String::new(),
            "self" => from.to_owned(),
            "super" => parent(from),
            _ => return self.member(from, names, true, depth),
        };
        while let Some(("super", others)) =
            rest.split_first().map(|(name, others)| (&**name, others))
        {
            (module, rest) = (parent(&module), others);
        }
        self.member(&module, rest, true, depth)
    }

    /// The same for a path that begins with a member of `module`.
    fn member(
        &self,
        module: &str,
        names: &[String],
        privately: bool,
        depth: usize,
    ) -> Option<&str> {
        let (first, rest) = names.split_first()?;
        let (path, found) = self.0.get_key_value(module)?;
        if first == "*" {
            return Some(path);
        }
        let child = join(module, first);
        if self.0.contains_key(&child) {
            return self.member(&child, rest, true, depth);
        }
        if found.items.contains(first) {
            return Some(path);
        }
        // Imports that name each other end here.
        if depth > 16 {
            return None;
        }
        let visible = || found.imports.iter().filter(|import| privately || import.is_public);
        if let Some(import) = visible().find(|import| import.name == *first) {
            // `use a::b; b::c()`
            let names = [import.path.as_slice(), rest].concat();
            // A name that is imported from another crate may be the one of that crate.
            return if names == *[std::slice::from_ref(first), rest].concat() {
                None
            } else {
                self.definition(module, &names, depth + 1)
            };
        }
        visible().filter(|import| import.name == "*").find_map(|import| {
            let (_, folder) = import.path.split_last()?;
            self.definition(module, &[folder, names].concat(), depth + 1)
        })
    }

    /// Names of structs, enums and traits with the modules that define them.
    pub fn types(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, module) in &self.0 {
            for name in &module.types {
                found.entry(name).or_default().push(path);
            }
        }
        found
    }
}

/// Collects the names of one module, in nested functions and macro calls too.
#[derive(Default)]
struct Collector {
    module: Module,
}

impl Collector {
    fn import(&mut self, tree: &UseTree, before: &[String], is_public: bool) {
        let with = |name: String| [before, &[name]].concat();
        let (name, path) = match tree {
            UseTree::Path(path) => {
                return self.import(&path.tree, &with(path.ident.to_string()), is_public);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, before, is_public));
            }
            UseTree::Name(name) if name.ident == "self" => {
                (before.last().cloned().unwrap_or_default(), before.to_vec())
            }
            UseTree::Name(name) => (name.ident.to_string(), with(name.ident.to_string())),
            UseTree::Rename(name) => (name.rename.to_string(), with(name.ident.to_string())),
            UseTree::Glob(_) => ("*".to_owned(), with("*".to_owned())),
        };
        self.module.imports.push(Import { name, path, is_public });
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test(attributes(item)) {
            return;
        }
        if let Item::Struct(_) | Item::Enum(_) | Item::Trait(_) = item {
            self.module.types.extend(item_name(item));
        }
        visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_public = !matches!(item.vis, syn::Visibility::Inherited);
        self.import(&item.tree, &[], is_public);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.module
                .paths
                .push(path.segments.iter().map(|name| name.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let paths = super::paths_in(&call.tokens.to_string());
        self.module
            .paths
            .extend(paths.into_iter().map(|path| path.names).filter(|names| names.len() > 1));
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn item_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn reachable<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(edges[module].iter().copied().filter(|next| found.insert(*next)));
    }
    found
}

/// `ham/update.rs` and `ham/update/mod.rs` are `ham::update`.
fn module_path(file: &str) -> String {
    let name = file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
    if name == "lib" { String::new() } else { name }
}

fn parent(module: &str) -> String {
    module.rsplit_once("::").map_or("", |(parent, _)| parent).to_owned()
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}
