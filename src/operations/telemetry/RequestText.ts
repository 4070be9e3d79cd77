import type { styleText } from "node:util"
import type { Answered } from "../../platform/http/server/RequestLog.ts"

type Format = Extract<Parameters<typeof styleText>[0], string>

/** Makes a text look like this, or leaves it as it is. */
export type Paint = (format: Format, text: string) => string

const colors: Record<number, Format> = { 2: "green", 3: "cyan", 4: "yellow", 5: "red" }

const timeOf = (millis: number) => millis < 1000 ? `${millis} ms` : `${(millis / 1000).toFixed(1)} s`

/** A request as people read it, in one line: what was asked, how it was answered, and by which ids who asked. */
export const requestText = ({ caller, code, method, millis, route, status }: Answered, paint: Paint): string => {
  const answer = paint(
    colors[Math.floor(status / 100)] ?? "white",
    code === undefined ? `${status}` : `${status} ${code}`
  )
  const club = caller?.organization_id === undefined ? "" : ` of club ${caller.organization_id}`
  const who = caller === undefined ? "" : ` ${paint("gray", `${caller.session_kind} ${caller.account_id}${club}`)}`
  return `${paint("bold", method)} ${route} ${answer} ${paint("gray", timeOf(millis))}${who}`
}
