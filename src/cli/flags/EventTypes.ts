import { Flag } from "effect/cli"

/**
 * `--event`, by which every command takes types of events: several times, or once with commas between them. `--events` was
 * the name in `turma webhooks listen`; it works everywhere, and help does not show it.
 */
export const eventTypeFlags = (description: string) => ({
  event: Flag.String("event").pipe(
    Flag.withAlias("e"),
    Flag.withMetavar("type"),
    Flag.withDescription(description),
    Flag.atLeast(0)
  ),
  events: Flag.String("events").pipe(Flag.withHidden, Flag.atLeast(0))
})

/** The values of these flags, as they are parsed. */
export interface EventTypesGiven {
  readonly event: ReadonlyArray<string>
  readonly events: ReadonlyArray<string>
}

/** The types in the order of the command line, with the values of the former name last. */
export const eventTypesIn = ({ event, events }: EventTypesGiven): ReadonlyArray<string> =>
  [...event, ...events].flatMap((text) => text.split(",").map((type) => type.trim()))
