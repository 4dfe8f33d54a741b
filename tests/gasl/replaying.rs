//! Replays the recording of a case, one entry at a time, as the facade does.

use super::*;

impl Run {
    pub fn replay(&mut self, step: &Json, strict: bool) -> Checked {
        let mut recorded = to_json(&self.session.recording());
        for (pointer, change) in step["change"].as_object().into_iter().flatten() {
            let (parent, last) = pointer.rsplit_once('/').unwrap();
            let target = recorded.pointer_mut(parent).unwrap();
            match (target, change.get("$missing")) {
                (Json::Object(map), Some(_)) => drop(map.remove(last)),
                (Json::Array(items), None) => {
                    items[last.parse::<usize>().unwrap()] = change.clone()
                }
                (target, _) => target[last] = change.clone(),
            }
        }
        let memory_graph = match step["graph"].as_str() {
            Some(name) => {
                let text = fs::read(self.graphs.join(format!("{name}.json"))).unwrap();
                Some(Rc::new(import::node_link(&text, import::ImportLimits::default()).unwrap().0))
            }
            None => self.memory_graph.clone(),
        };
        let ended = self.replayed(&recorded, source(&memory_graph), strict)?;
        let expected = self.hash();
        match (ended, step.get("throws")) {
            (Err(mut codes), Some(throws)) => {
                codes.sort_unstable();
                codes.dedup();
                compare_codes(codes.iter().map(String::as_str).collect(), throws, "thrown")
            }
            (Err(codes), None) => Err(format!("the replay threw {codes:?}")),
            (Ok(_), Some(_)) => Err("the replay did not throw".to_owned()),
            (Ok(hash), None) if step.get("other").is_some() => {
                if hash == expected {
                    Err(format!("the same hash {hash}"))
                } else {
                    Ok(())
                }
            }
            (Ok(hash), None) if hash == expected => Ok(()),
            (Ok(hash), None) => Err(format!("the replay ended in {hash}, not {expected}")),
        }
    }

    /// Responds to `turns` effects of a task. Returns its result, or its next update if it has not ended.
    fn respond_to(
        &mut self,
        mut update: TaskUpdate,
        turns: u64,
    ) -> Result<std::result::Result<Json, TaskUpdate>, String> {
        let mut abort = AbortState {
            after_step: None,
            on_ask: None,
            records: Vec::new(),
            asked_before: self.count,
            aborted: false,
        };
        for _ in 0..turns {
            let effect = match update.next {
                Progress::Done(value) => return Ok(Ok(to_json(&value))),
                Progress::Need(effect) => effect,
            };
            let answer = self.perform(effect, &mut abort)?;
            update = self.session.resume(update.task, answer, NOW).ok_or("the task is gone")?;
        }
        match update.next {
            Progress::Done(value) => Ok(Ok(to_json(&value))),
            next => Ok(Err(TaskUpdate { next, ..update })),
        }
    }

    /// Returns the hash after a replay, or the codes of the errors that it would throw.
    fn replayed(
        &mut self,
        recorded: &Json,
        graph: Source,
        strict: bool,
    ) -> Result<Result<Json, Vec<String>>, String> {
        let rejected = |error: Diagnostic| Ok(Err(vec![error.code.id.to_owned()]));
        let recording = match recording::read(&to_value(recorded)) {
            Ok(recording) => recording,
            Err(error) => return rejected(error),
        };
        let mut session = match Session::from_recording(graph, &recording, NOW) {
            Ok(session) => session,
            Err(error) => return rejected(error),
        };
        session.replay_from(recording.exchanges, strict);
        let live = std::mem::replace(&mut self.session, session);
        let (count, mut missed) = (self.count, Vec::new());
        let mut open: HashMap<u64, TaskUpdate> = HashMap::new();
        for (at, entry) in recording.entries.iter().map(to_json).enumerate() {
            let of = entry["of"].as_u64().unwrap_or(at as u64);
            let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            let limit = |key: &str| entry[key].as_u64().unwrap() as usize;
            let pending = open.remove(&of);
            let update = match entry["kind"].as_str().unwrap() {
                "fork" => {
                    self.session = self.session.fork(None).unwrap();
                    open.clear();
                    None
                }
                "turns" => pending,
                "stop" => pending.and_then(|update| self.session.cancel(update.task, "stop", NOW)),
                "execute" => Some(self.session.execute(&text("command"), &text("why"), NOW)),
                "give_up" => {
                    Some(self.session.record_cancelled(&text("command"), &text("why"), NOW))
                }
                "plan" => Some(self.session.run(&to_value(&entry["plan"]), NOW)),
                "resume" => self.session.resume_interrupted(NOW),
                "propose" => Some(self.session.propose(&text("query"))),
                "solve" => {
                    let budget = Budget {
                        plans: limit("maxPlans"),
                        calls: limit("maxCalls"),
                        tokens: limit("maxTokens"),
                        steps: limit("maxSteps"),
                    };
                    Some(self.session.solve(&text("query"), budget, NOW))
                }
                other => return Err(format!("unknown entry {other}")),
            };
            let turns = entry["turns"].as_u64().unwrap_or(u64::MAX);
            let Some(update) = update else { continue };
            match self.respond_to(update, turns)? {
                Ok(result) => collect_missing(&result, &mut missed),
                Err(update) => drop(open.insert(of, update)),
            }
        }
        let ended = to_json(&self.session.snapshot())["hash"].clone();
        self.session = live;
        if self.count != count {
            return Err("the replay called the model".to_owned());
        }
        if strict && !missed.is_empty() {
            return Ok(Err(missed));
        }
        if strict && recorded.get("hash").is_some_and(|hash| *hash != ended) {
            return Ok(Err(vec!["GASL061".to_owned()]));
        }
        Ok(Ok(ended))
    }
}

/// Adds the code of each exchange that is not in the recording.
fn collect_missing(value: &Json, missed: &mut Vec<String>) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| collect_missing(item, missed)),
        Json::Object(map) if map.get("code") == Some(&json!("GASL060")) => {
            missed.push("GASL060".to_owned());
        }
        Json::Object(map) => map.values().for_each(|item| collect_missing(item, missed)),
        _ => {}
    }
}
