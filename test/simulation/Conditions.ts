import type { Change } from "./Journal.ts"
import { type Endpoint, endpointOf, type Lane, laneOf, type Shadow } from "./Shadow.ts"

/** A state of an endpoint that a reader could see. */
export interface Condition {
  readonly endpoint: Endpoint
  readonly lane: Lane
}

/** Endpoints and their lanes as every change left them, oldest first. */
export class Conditions {
  readonly #endpoints: Array<Endpoint> = []
  readonly #lanes: Array<Lane> = []

  keep({ is, what }: Change): void {
    if (what === "webhook_endpoints" && is !== undefined) this.#endpoints.push(endpointOf(is))
    if (what === "webhook_lanes" && is !== undefined) this.#lanes.push(laneOf(is))
  }

  /** Collects the states of endpoints until the result is called: the present ones and those after each change. */
  watch(shadow: Shadow): () => ReadonlyMap<string, ReadonlyArray<Condition>> {
    const known = { endpoints: [...shadow.endpoints.values()], lanes: [...shadow.lanes.values()] }
    const [begun, moved] = [this.#endpoints.length, this.#lanes.length]
    return () => {
      const endpoints = [...known.endpoints, ...this.#endpoints.slice(begun)]
      const lanes = Map.groupBy([...known.lanes, ...this.#lanes.slice(moved)], ({ endpoint }) => endpoint)
      return Map.groupBy(
        endpoints.flatMap((endpoint) => (lanes.get(endpoint.id) ?? []).map((lane) => ({ endpoint, lane }))),
        ({ endpoint }) => endpoint.id
      )
    }
  }
}
