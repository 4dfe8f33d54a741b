// Data and helpers of the behaviours of a worker.

import { expectTrue } from "./compare.mjs";

export const csv = { nodes: "id,t\na,x\nb,y\nc,x", edges: "source,target\na,b\nb,c" };
export const plan = (...commands) => ({ plan_id: "p", why: "w", commands });

/** Returns the reason of a rejection. */
export async function reasonOf(promise) {
  const outcome = await promise.then(
    (value) => ({ value }),
    (reason) => ({ reason }),
  );
  expectTrue("reason" in outcome, `resolved with ${JSON.stringify(outcome.value)}`);
  return outcome.reason;
}
