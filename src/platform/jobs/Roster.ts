/** Where a member stands, between its neighbors: by this it is removed. */
export class Place<A> {
  readonly member: A
  previous: Place<A> | undefined
  next: Place<A> | undefined
  isTaken = true

  constructor(member: A, previous: Place<A> | undefined) {
    this.member = member
    this.previous = previous
  }
}

/**
 * A doubly linked list: members that come and go thousands of times a second, in the order in which they came.
 * A `Set` would do, except for its garbage: V8 moves a changing `Set` to a new table again and again. The old tables
 * still name their members and the tables after them, so removed members reach the old generation. For each webhook
 * delivery that was 1 KB.
 */
export class Roster<A> {
  #first: Place<A> | undefined
  #last: Place<A> | undefined

  /** The place of the one that came before all others that are here. */
  get first(): Place<A> | undefined {
    return this.#first
  }

  /** Becomes the last of them. Answers with what `remove` takes. */
  add(member: A): Place<A> {
    const place = new Place(member, this.#last)
    if (this.#last === undefined) this.#first = place
    else this.#last.next = place
    this.#last = place
    return place
  }

  /** Once is enough, and again does nothing. */
  remove(place: Place<A>): void {
    if (!place.isTaken) return
    const { next, previous } = place
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    place.isTaken = false
    place.previous = undefined
    place.next = undefined
  }

  /** All that are here at this moment. */
  members(): ReadonlyArray<A> {
    const found: Array<A> = []
    for (let place = this.#first; place !== undefined; place = place.next) found.push(place.member)
    return found
  }
}
