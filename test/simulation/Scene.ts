import type { EventType } from "../../src/events/EventType.ts"
import type { ClubId } from "../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../src/identity/ids/StudentId.ts"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import type { InboxId } from "../../src/webhooks/model/InboxId.ts"
import type { SimulatedClub } from "./Facts.ts"
import { pathOf } from "./Network.ts"
import type { Endpoint } from "./Shadow.ts"
import type { World } from "./World.ts"

/** An endpoint that is not deleted, and its club. */
export interface Chosen {
  readonly club: SimulatedClub
  readonly endpoint: Endpoint
  readonly id: EndpointId
}

/** A reader of a club's feed. */
export interface Reader {
  readonly club: SimulatedClub
  readonly wanted: { readonly type?: EventType; readonly student_id?: StudentId }
  /** The cursor that it kept. It also keeps the number of events it has seen. */
  cursor: string | undefined
  seen: number
}

/** An inbox that a person looks into. */
export interface SeenInbox {
  readonly club: ClubId
  readonly id: InboxId
  readonly path: string
  /** When its hour is over. */
  readonly until: number
}

/** The clubs, endpoints, readers and inboxes that steps act on. */
export class Scene {
  readonly world: World
  readonly clubs: ReadonlyArray<SimulatedClub>
  /** The endpoint of most steps that run at the same time. */
  focus: Chosen | undefined
  readonly readers: Array<Reader> = []
  readonly inboxes: Array<SeenInbox> = []
  #paths = 0

  constructor(world: World, clubs: ReadonlyArray<SimulatedClub>) {
    this.world = world
    this.clubs = clubs
  }

  club(): SimulatedClub {
    const club = this.world.ground.dice.pick(this.clubs)
    if (club === undefined) throw new Error("A simulation has a club")
    return club
  }

  /** Endpoints that are not deleted. */
  open(): ReadonlyArray<Endpoint> {
    return [...this.world.checks.shadow.endpoints.values()].filter(({ deletedAt }) => deletedAt === null)
  }

  /**
   * A random endpoint; undefined without an open one. It is often enabled or busy: most requests need an enabled
   * endpoint, and meet more cases while something is under way.
   */
  some(): Chosen | undefined {
    const { dice, network } = this.world.ground
    if (this.focus !== undefined && dice.chance(0.8)) return this.focus
    const open = this.open()
    const busy = open.filter(({ url }) => network.underWay(pathOf(url)).length > 0)
    const enabled = open.filter(({ status }) => status === "enabled")
    const endpoint = dice.pick(dice.weighted([[busy.length > 0 ? 5 : 0, busy], [4, enabled], [2, open]]))
    const club = this.clubs.find(({ id }) => id === endpoint?.club)
    return endpoint && club && { club, endpoint, id: EndpointId.make(endpoint.id) }
  }

  /** True if there is an inbox to look into. */
  isPlaying(): boolean {
    return this.inboxes.some(({ until }) => until > this.world.now())
  }

  /** A new path, for a new receiver. */
  newPath(): string {
    this.#paths += 1
    return `/e${this.#paths}`
  }
}
