import { signal } from "@preact/signals"
import { countdown, exactTime, relative, shortDate } from "../client/Format.ts"
import { currentMillis, millisOf } from "../client/Time.ts"

/** Now, as all that counts up or down shows it. */
export const clock = signal(currentMillis())

setInterval(() => {
  if (document.visibilityState === "visible") clock.value = currentMillis()
}, 1000)

/** A time as seen from now. The exact time appears under the pointer. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTime(at)}>{relative(millisOf(at), clock.value)}</time>
)

/** A day in a list. The exact time appears under the pointer. */
export const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTime(at)}>{shortDate(at)}</time>
)

/** The time until a moment. Screen readers do not read out each second. */
export const Countdown = ({ until }: { readonly until: string }) => (
  <time dateTime={until} title={exactTime(until)} class="number" role="timer" aria-live="off">
    {countdown(millisOf(until) - clock.value)}
  </time>
)
