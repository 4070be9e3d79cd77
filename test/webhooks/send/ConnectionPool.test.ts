import { assert, describe, it } from "@effect/vitest"
import { ConnectionPool, type PooledConnection } from "../../../src/webhooks/send/ConnectionPool.ts"

class Fake implements PooledConnection {
  readonly host: string
  readonly openedAt: number
  isOpen = true
  closed = 0
  constructor(host: string, openedAt = 0) {
    this.host = host
    this.openedAt = openedAt
  }
  destroy() {
    this.isOpen = false
    this.closed += 1
  }
}

const poolOf = (connections: ReadonlyArray<Fake>, limits = { byHost: 10, overall: 10 }) => {
  const pool = new ConnectionPool<Fake>(limits)
  for (const connection of connections) pool.put(connection)
  return pool
}

const open = (connections: ReadonlyArray<Fake>) => connections.map(({ isOpen }) => isOpen)

/** How many of these connections the pool still has. */
const kept = (pool: ConnectionPool<Fake>, connections: ReadonlyArray<Fake>) => {
  const before = connections.map(({ closed }) => closed)
  pool.closeAll()
  return connections.filter(({ closed }, index) => closed !== before[index]).length
}

describe("the pool", () => {
  it("gives each connection to one caller, the one used last first", () => {
    const [first, second] = [new Fake("a"), new Fake("a")]
    const pool = poolOf([first, second])
    assert.strictEqual(pool.take("a", 0), second)
    assert.strictEqual(pool.take("a", 0), first)
    assert.isUndefined(pool.take("a", 0))
  })

  it("gives nobody the connection to another host", () => {
    assert.isUndefined(poolOf([new Fake("a")]).take("b", 0))
  })

  it("closes connections that are a minute old, and gives younger ones", () => {
    const [young, old] = [new Fake("a", 1), new Fake("a", 0)]
    const pool = poolOf([young, old])
    assert.strictEqual(pool.take("a", 60_000), young)
    assert.deepStrictEqual(open([young, old]), [true, false])
  })

  it("gives nobody a connection that is closed", () => {
    const closed = new Fake("a")
    const pool = poolOf([closed])
    closed.destroy()
    assert.isUndefined(pool.take("a", 0))
    assert.strictEqual(kept(pool, [closed]), 0)
  })

  it("keeps so many by host, and closes the longest idle of that host", () => {
    const connections = [new Fake("b"), new Fake("a"), new Fake("a"), new Fake("a")]
    poolOf(connections, { byHost: 2, overall: 10 })
    assert.deepStrictEqual(open(connections), [true, false, true, true])
  })

  it("keeps so many in all, and closes the longest idle of any host", () => {
    const connections = [new Fake("b"), new Fake("a"), new Fake("c"), new Fake("d")]
    const pool = poolOf(connections, { byHost: 2, overall: 3 })
    assert.deepStrictEqual(open(connections), [false, true, true, true])
    assert.strictEqual(kept(pool, connections), 3)
  })

  it("forgets a connection that ends while it is idle", () => {
    const [connection, other] = [new Fake("a"), new Fake("a")]
    const pool = poolOf([connection, other])
    pool.close(connection)
    assert.strictEqual(pool.take("a", 0), other)
    pool.put(other)
    assert.strictEqual(kept(pool, [connection, other]), 1)
  })

  it("closes all of them in the end", () => {
    const connections = [new Fake("a"), new Fake("a"), new Fake("b")]
    poolOf(connections).closeAll()
    assert.deepStrictEqual(open(connections), [false, false, false])
  })
})
