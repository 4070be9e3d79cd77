// The students' view of the community. Pure.

interface Seen {
  readonly access: "community" | "delivery"
  readonly archived: boolean
  readonly visibility: "members" | "public" | "hidden"
}

/** Which students see a space while the community is published. */
export type Viewers = "everybody" | "granted" | "nobody"

/** The viewers of a space: every student, those with a delivery that contains the community, or nobody. */
export const viewersOf = ({ access, archived, visibility }: Seen): Viewers =>
  archived || visibility === "hidden" ? "nobody" : access === "community" ? "everybody" : "granted"

/** Number of spaces that each kind of viewer sees. */
export const viewersOfAll = (spaces: ReadonlyArray<Seen>): Readonly<Record<Viewers, number>> => {
  const count = (viewers: Viewers) => spaces.filter((space) => viewersOf(space) === viewers).length
  return { everybody: count("everybody"), granted: count("granted"), nobody: count("nobody") }
}
