import { dateTime, number, relative } from "../../../../browser/client/Format.ts"
import { language } from "../../../../browser/client/Language.ts"
import { millisOf } from "../../../../browser/client/Time.ts"
import { clock } from "../../../../browser/parts/Moment.tsx"
import type { SentenceContext } from "../model/SentenceContext.ts"

/** The inputs of sentences for this reader, now. A component that reads them renders again as time goes on. */
export const sentenceContext = (): SentenceContext => ({
  language: language.value,
  moment: (timestamp) => relative(millisOf(timestamp), clock.value),
  time: (timestamp) => dateTime(timestamp),
  number,
  now: clock.value
})
