//! Comparing short texts: they are compared often, and a call to `memcmp` takes one byte a step.

/// Whether two texts are the same.
#[inline]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // The last eight bytes may have been compared before: that costs less than a loop over a rest.
    if let (Some(last), Some(other)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
        return last == other && words.into_iter().all(|(a, b)| a == b);
    }
    if let (Some(last), Some(other)) = (a.last_chunk::<4>(), b.last_chunk::<4>()) {
        return last == other && a.first_chunk::<4>() == b.first_chunk::<4>();
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::same;

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
            }
        }
    }
}
