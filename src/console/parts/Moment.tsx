import { signal } from "@preact/signals"
import { countdown, exactTime, relative } from "../client/Format.ts"
import { currentMillis, millisOf } from "../client/Time.ts"

/** Now, as all that counts up or down shows it. */
export const clock = signal(currentMillis())

setInterval(() => {
  if (document.visibilityState === "visible") clock.value = currentMillis()
}, 1000)

/** A moment as seen from now; the exact time is there for whoever points at it. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTime(at)}>{relative(millisOf(at), clock.value)}</time>
)

/** What is left until a moment. Screen readers are not told of each second. */
export const Countdown = ({ until }: { readonly until: string }) => (
  <time dateTime={until} title={exactTime(until)} class="number" role="timer" aria-live="off">
    {countdown(millisOf(until) - clock.value)}
  </time>
)
