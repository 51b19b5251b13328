//! The elements that the reader treats in a way of their own; all others are `Other`.

/// Bytes of the longest name below.
const LONGEST: usize = 10;

macro_rules! tags {
    ($($name:literal => $variant:ident),* $(,)?) => {
        /// An element's name.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub enum Tag {
            $(#[doc = $name] $variant,)*
            /// Any other element.
            #[default]
            Other,
        }

        impl Tag {
            /// The tag of a lower-case element name.
            pub fn from_name(name: &[u8]) -> Self {
                match std::str::from_utf8(name).unwrap_or_default() {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }

            /// The tag of an element name as it was written.
            pub fn from_written(name: &[u8]) -> Self {
                let mut lower = [0; LONGEST];
                match lower.get_mut(..name.len()) {
                    Some(lower) => {
                        lower.copy_from_slice(name);
                        lower.make_ascii_lowercase();
                        Self::from_name(lower)
                    }
                    None => Self::Other,
                }
            }
        }
    };
}

tags! {
    "html" => Html, "head" => Head, "body" => Body, "title" => Title, "base" => Base, "link" => Link, "meta" => Meta,
    "script" => Script, "style" => Style, "noscript" => Noscript, "template" => Template, "svg" => Svg, "math" => Math,
    "iframe" => Iframe, "object" => Object, "canvas" => Canvas, "video" => Video, "audio" => Audio, "map" => Map,
    "nav" => Nav, "header" => Header, "footer" => Footer, "aside" => Aside, "main" => Main, "article" => Article,
    "section" => Section, "div" => Div, "span" => Span, "p" => P, "br" => Br, "hr" => Hr, "wbr" => Wbr,
    "h1" => H1, "h2" => H2, "h3" => H3, "h4" => H4, "h5" => H5, "h6" => H6, "hgroup" => Hgroup,
    "ul" => Ul, "ol" => Ol, "li" => Li, "dl" => Dl, "dt" => Dt, "dd" => Dd, "menu" => Menu,
    "table" => Table, "caption" => Caption, "colgroup" => Colgroup, "col" => Col, "thead" => Thead, "tbody" => Tbody,
    "tfoot" => Tfoot, "tr" => Tr, "td" => Td, "th" => Th,
    "pre" => Pre, "code" => Code, "kbd" => Kbd, "samp" => Samp, "tt" => Tt, "blockquote" => Blockquote, "q" => Q,
    "a" => A, "b" => B, "strong" => Strong, "i" => I, "em" => Em, "del" => Del, "s" => S, "sub" => Sub, "sup" => Sup,
    "img" => Img, "picture" => Picture, "source" => Source, "figure" => Figure, "figcaption" => Figcaption,
    "form" => Form, "input" => Input, "button" => Button, "select" => Select, "option" => Option_, "optgroup" => Optgroup,
    "textarea" => Textarea, "label" => Label, "fieldset" => Fieldset, "legend" => Legend, "datalist" => Datalist,
    "dialog" => Dialog, "details" => Details, "summary" => Summary, "time" => Time, "address" => Address,
    "center" => Center, "search" => Search, "embed" => Embed, "area" => Area, "track" => Track, "param" => Param,
    "rp" => Rp, "rt" => Rt,
    // No element of this name: a <template> whose content is shown in its place.
    "shadowroot" => Shadowroot,
}

impl Tag {
    /// Elements that have no content and no end tag.
    pub fn is_void(self) -> bool {
        matches!(
            self,
            Self::Base
                | Self::Link
                | Self::Meta
                | Self::Br
                | Self::Hr
                | Self::Wbr
                | Self::Col
                | Self::Img
                | Self::Source
                | Self::Input
                | Self::Embed
                | Self::Area
                | Self::Track
                | Self::Param
        )
    }

    /// Elements that begin a new line of text.
    pub fn is_block(self) -> bool {
        self.closes_paragraph()
            || matches!(
                self,
                Self::Html
                    | Self::Body
                    | Self::Li
                    | Self::Dt
                    | Self::Dd
                    | Self::Caption
                    | Self::Thead
                    | Self::Tbody
                    | Self::Tfoot
                    | Self::Tr
                    | Self::Td
                    | Self::Th
                    | Self::Figcaption
                    | Self::Legend
                    | Self::Option_
            )
    }

    /// Elements whose start ends an open paragraph.
    pub fn closes_paragraph(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Article
                | Self::Aside
                | Self::Blockquote
                | Self::Center
                | Self::Details
                | Self::Dialog
                | Self::Div
                | Self::Dl
                | Self::Fieldset
                | Self::Figcaption
                | Self::Figure
                | Self::Footer
                | Self::Form
                | Self::H1
                | Self::H2
                | Self::H3
                | Self::H4
                | Self::H5
                | Self::H6
                | Self::Header
                | Self::Hgroup
                | Self::Hr
                | Self::Main
                | Self::Menu
                | Self::Nav
                | Self::Ol
                | Self::P
                | Self::Pre
                | Self::Search
                | Self::Section
                | Self::Summary
                | Self::Table
                | Self::Ul
        )
    }

    /// The level of a heading.
    pub fn heading(self) -> Option<usize> {
        match self {
            Self::H1 => Some(1),
            Self::H2 => Some(2),
            Self::H3 => Some(3),
            Self::H4 => Some(4),
            Self::H5 => Some(5),
            Self::H6 => Some(6),
            _ => None,
        }
    }

    /// Elements whose content is never text of the page.
    pub fn is_hidden(self) -> bool {
        matches!(
            self,
            Self::Head
                | Self::Title
                | Self::Script
                | Self::Style
                | Self::Noscript
                | Self::Template
                | Self::Svg
                | Self::Iframe
                | Self::Object
                | Self::Canvas
                | Self::Video
                | Self::Audio
                | Self::Map
                | Self::Input
                | Self::Select
                | Self::Textarea
                | Self::Datalist
                | Self::Rp
        )
    }
}
