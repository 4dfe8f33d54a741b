//! Comparing short texts: they are compared often, and a call to `memcmp` takes one byte a step.

/// Whether two texts are the same.
#[inline]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // The last eight bytes may have been compared before: that costs less than a loop over a rest.
    if let (Some(last), Some(other)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        return last == other
            && a.first_chunk::<8>() == b.first_chunk::<8>()
            && (a.len() <= 16 || middle_is_same(a, b));
    }
    if let (Some(last), Some(other)) = (a.last_chunk::<4>(), b.last_chunk::<4>()) {
        return last == other && a.first_chunk::<4>() == b.first_chunk::<4>();
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// Of two texts of one length, by words of eight bytes.
fn middle_is_same(a: &[u8], b: &[u8]) -> bool {
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    words.into_iter().all(|(a, b)| a == b)
}

/// How many bytes two texts have in common at their starts.
#[inline]
pub fn common_start(a: &[u8], b: &[u8]) -> usize {
    let mut words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let differ = |(a, b): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
    let is_other = |pair| differ(pair) != 0;
    let start = 8 * words.position(is_other).unwrap_or(a.len().min(b.len()) / 8);
    let rest = a.iter().zip(b).skip(start);
    start + rest.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::{common_start, same};

    #[test]
    fn sees_every_difference() {
        for length in 0..40 {
            let text: Vec<u8> = (0..length).collect();
            assert!(same(&text, &text.clone()));
            assert!(!same(&text, &[text.as_slice(), b"x"].concat()));
            for at in 0..text.len() {
                let mut other = text.clone();
                other[at] ^= 1;
                assert!(!same(&text, &other), "{at} of {length}");
                assert_eq!(common_start(&text, &other), at);
            }
        }
    }
}
