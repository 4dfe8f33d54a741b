//! Replays the recording of a case as the JavaScript facade does.

use super::*;

impl Run {
    pub fn replay(&mut self, step: &Json, strict: bool) -> Checked {
        let mut recorded = to_json(&self.session.recording());
        for (pointer, change) in step["change"].as_object().into_iter().flatten() {
            let (parent, last) = pointer.rsplit_once('/').unwrap();
            let parent = recorded.pointer_mut(parent).unwrap();
            match (parent, change.get("$missing")) {
                (Json::Object(map), Some(_)) => drop(map.remove(last)),
                (Json::Array(items), None) => {
                    items[last.parse::<usize>().unwrap()] = change.clone()
                }
                (parent, _) => parent[last] = change.clone(),
            }
        }
        let ground = match step["graph"].as_str() {
            Some(name) => {
                let text = fs::read(self.graphs.join(format!("{name}.json"))).unwrap();
                Some(Rc::new(
                    import::read_node_link(&text, import::ImportLimits::default()).unwrap().0,
                ))
            }
            None => self.ground.clone(),
        };
        let ended = self.replay_recording(&recorded, source(&ground), strict)?;
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

    /// Answers up to `turns` effects of a task. Returns its result, or its current turn.
    fn take_turns(
        &mut self,
        mut turn: TaskUpdate,
        turns: u64,
    ) -> Result<std::result::Result<Json, TaskUpdate>, String> {
        let mut stopping = Stopping {
            after_step: None,
            on_ask: None,
            records: Vec::new(),
            asked_before: self.count,
            stopped: false,
        };
        for _ in 0..turns {
            let effect = match turn.next {
                Progress::Done(value) => return Ok(Ok(to_json(&value))),
                Progress::Need(effect) => effect,
            };
            let answer = self.perform(effect, &mut stopping)?;
            turn = self.session.resume(turn.task, answer, NOW).ok_or("the task is gone")?;
        }
        match turn.next {
            Progress::Done(value) => Ok(Ok(to_json(&value))),
            next => Ok(Err(TaskUpdate { next, ..turn })),
        }
    }

    /// Returns the final hash of a replay, or the codes of its errors.
    fn replay_recording(
        &mut self,
        recorded: &Json,
        graph: GraphAccess,
        strict: bool,
    ) -> Result<Result<Json, Vec<String>>, String> {
        let rejected = |error: Diagnostic| Ok(Err(vec![error.code.id.to_owned()]));
        let recording = match recording::read_recording(&to_value(recorded)) {
            Ok(recording) => recording,
            Err(error) => return rejected(error),
        };
        let mut session = match Session::from_recording(graph, &recording, NOW) {
            Ok(session) => session,
            Err(error) => return rejected(error),
        };
        session.replay_from(recording.exchanges, strict);
        let original = std::mem::replace(&mut self.session, session);
        let (count, mut misses) = (self.count, Vec::new());
        let mut open: HashMap<u64, TaskUpdate> = HashMap::new();
        for (at, entry) in recording.entries.iter().map(to_json).enumerate() {
            let of = entry["of"].as_u64().unwrap_or(at as u64);
            let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            let bound = |key: &str| entry[key].as_u64().unwrap() as usize;
            let before = open.remove(&of);
            let turn = match entry["kind"].as_str().unwrap() {
                "fork" => {
                    self.session = self.session.fork(None).unwrap();
                    open.clear();
                    None
                }
                "turns" => before,
                "stop" => before.and_then(|turn| self.session.cancel(turn.task, "stop", NOW)),
                "execute" => Some(self.session.execute(&text("command"), &text("why"), NOW)),
                "give_up" => {
                    Some(self.session.record_cancelled(&text("command"), &text("why"), NOW))
                }
                "plan" => Some(self.session.run(&to_value(&entry["plan"]), NOW)),
                "resume" => self.session.resume_interrupted(NOW),
                "propose" => Some(self.session.propose(&text("query"))),
                "solve" => {
                    let budget = SolveBudget {
                        plans: bound("maxPlans"),
                        calls: bound("maxCalls"),
                        tokens: bound("maxTokens"),
                        steps: bound("maxSteps"),
                    };
                    Some(self.session.solve(&text("query"), budget, NOW))
                }
                other => return Err(format!("there is no entry {other}")),
            };
            let turns = entry["turns"].as_u64().unwrap_or(u64::MAX);
            let Some(turn) = turn else { continue };
            match self.take_turns(turn, turns)? {
                Ok(result) => collect_misses(&result, &mut misses),
                Err(turn) => drop(open.insert(of, turn)),
            }
        }
        let ended = to_json(&self.session.current_snapshot())["hash"].clone();
        self.session = original;
        if self.count != count {
            return Err("the replay asked the model".to_owned());
        }
        if strict && !misses.is_empty() {
            return Ok(Err(misses));
        }
        if strict && recorded.get("hash").is_some_and(|hash| *hash != ended) {
            return Ok(Err(vec!["GASL061".to_owned()]));
        }
        Ok(Ok(ended))
    }
}

fn collect_misses(value: &Json, misses: &mut Vec<String>) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| collect_misses(item, misses)),
        Json::Object(map) if map.get("code") == Some(&json!("GASL060")) => {
            misses.push("GASL060".to_owned());
        }
        Json::Object(map) => map.values().for_each(|item| collect_misses(item, misses)),
        _ => {}
    }
}
