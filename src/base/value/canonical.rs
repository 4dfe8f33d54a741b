//! Canonical JSON (RFC 8785), for hashes.

use super::Value;
use crate::base::json::{write_number, write_text};

/// Returns the canonical text: keys sorted by UTF-16 code units, no white space, numbers as in ECMAScript.
pub fn canonical_json(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        // ECMAScript writes no sign before zero.
        Value::Number(number) if *number == 0.0 => out.push('0'),
        Value::Number(number) => write_number(*number, out),
        Value::Text(text) => write_text(text, out),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(map) => {
            let units =
                |place| map.get_index(place).into_iter().flat_map(|(key, _)| key.encode_utf16());
            let mut order: Vec<usize> = (0..map.len()).collect();
            order.sort_unstable_by(|&a, &b| units(a).cmp(units(b)));
            let entries = order.into_iter().filter_map(|place| map.get_index(place));
            out.push('{');
            for (index, (key, value)) in entries.enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::value;
    use super::*;

    /// The example of RFC 8785, section 3.2.2, and the order of keys of section 3.2.3.
    #[test]
    fn writes_the_example_of_the_rfc() {
        let text = r#"{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"#;
        let expected = r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#;
        assert_eq!(canonical_json(&value(text)), expected);
        let keys = r#"{"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7}"#;
        let order: Vec<f64> = value(&canonical_json(&value(keys)))
            .as_map()
            .unwrap()
            .values()
            .filter_map(Value::as_number)
            .collect();
        assert_eq!(order, [2.0, 4.0, 6.0, 7.0, 1.0, 5.0, 3.0]);
        assert_eq!(
            canonical_json(&value("[-0, 1e21, 100000000000000000000, 0.000001, 0.0000001]")),
            "[0,1e+21,100000000000000000000,0.000001,1e-7]"
        );
    }
}
