import { dateTime, number, relative } from "../../../client/Format.ts"
import { language } from "../../../client/Language.ts"
import { millisOf } from "../../../client/Time.ts"
import { clock } from "../../../parts/Moment.tsx"
import type { Telling } from "../model/Telling.ts"

/** How sentences are told to this reader, now. What reads it in a component is shown anew as time goes on. */
export const telling = (): Telling => ({
  language: language.value,
  moment: (timestamp) => relative(millisOf(timestamp), clock.value),
  time: (timestamp) => dateTime(timestamp),
  number,
  now: clock.value
})
