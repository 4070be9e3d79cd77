import type { Judged } from "./Activity.ts"
import type { Rule } from "./Rules.ts"

/** The rules for all activity of clubs, each with the cases that break it. */
export const activityRules = (judged: Judged): ReadonlyArray<Rule> => [
  ["Everything accepted reached every endpoint that lists it", judged.lost],
  ["One delivery for each event and endpoint", judged.misplaced],
  ["No delivery is stuck", judged.stuck],
  ["Attempts are numbered without gaps", judged.gaps],
  ["The phases of an attempt are together as long as it at most", judged.unphased],
  ["Every recovery ended, counted right and sent nothing twice", judged.misrecovered],
  ["The reader of a feed saw every fact once, in its order", judged.misread],
  ["An inbox of our own kept every fact, numbered without gaps", judged.misplayed],
  ["Every grading ended with a report or a reason, and made no event", judged.misgraded],
  ["Every signature and every header of an endpoint's own is right", judged.distrusted],
  ["Nothing was swept that is not old", judged.swept],
  [
    "Every duplicate was in flight at a kill or at a jump of the clock, or while PostgreSQL was away",
    judged.unexplained
  ],
  ["What was accepted of a sale is one purchase, told of once, with its access", judged.missold],
  ["Every accepted list is imported, each address once", judged.misimported],
  ["Receivers were told the history of each access", judged.mistold],
  ["Every completion has one event and one payment of points", judged.miscompleted],
  ["Every accepted comment is there once", judged.missaid],
  ["Every completed upload is there as a whole", judged.misplacedFiles],
  ["Every accepted question has an answer that ended, and its unit", judged.misanswered]
]

/** The work that remains, by name. */
export const leftRule = (left: Readonly<Record<string, number>>): Rule => [
  "No fact and no lane is left",
  Object.entries(left).filter(([, n]) => n !== 0).map((entry) => entry.join(": "))
]
