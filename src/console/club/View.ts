import { signal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Membership } from "./Session.ts"

/** The properties of a club's view. */
export interface ClubViewProps {
  readonly club: Membership
  /** The parameters of the address, by name. */
  readonly params: Readonly<Record<string, string>>
}

/** A view of a club. */
export type ClubView = ComponentType<ClubViewProps>

/** The address of a page of a club: `/console/<club>/webhooks/<endpoint>`. */
export const clubPage = (club: { readonly organization_id: string }, ...parts: ReadonlyArray<string>): string =>
  ["/console", club.organization_id, ...parts.map(encodeURIComponent)].join("/")

/** The parameter that names the club. */
export const ofClub = ({ organization_id }: { readonly organization_id: string }): { readonly clubId: string } => ({
  clubId: organization_id
})

/** A command. The palette finds it by its name, and its key runs it if it has one. */
export interface Command {
  readonly label: string
  /** A single key, or two after each other: `n`, `g w`. */
  readonly keys?: string
  readonly run: () => void
}

/** The commands of the views that are shown. */
export const viewCommands = signal<ReadonlyArray<ReadonlyArray<Command>>>([])

/** Offers these commands while the component is shown. */
export const useCommands = (commands: ReadonlyArray<Command>): void => {
  // They do what is shown by then, though they were offered before.
  const latest = useRef(commands)
  latest.current = commands
  const names = commands.map(({ keys, label }) => `${label} ${keys}`).join("\n")
  useLayoutEffect(() => {
    const offered = commands.map((command, index) => ({ ...command, run: () => latest.current[index]?.run() }))
    viewCommands.value = [...viewCommands.peek(), offered]
    return () => {
      viewCommands.value = viewCommands.peek().filter((one) => one !== offered)
    }
  }, [names])
}
