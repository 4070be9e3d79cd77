import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type Fleet,
  type FleetCommand,
  type FleetEvent,
  isComplete,
  newFleet,
  step
} from "../../../src/cli/processes/Fleet.ts"

/** A fleet in a world that obeys the test, with a clock that only the test moves. */
const makeWorld = (size: number) => {
  const world = { fleet: newFleet(size), now: 0, done: [] as ReadonlyArray<FleetCommand> }
  const happen = (event: FleetEvent) => {
    const { commands, fleet } = step(world.fleet, event, world.now)
    world.fleet = fleet
    world.done = [...world.done, ...commands]
    return commands
  }
  const idsOf = (state: "starting" | "ready" | "leaving") =>
    world.fleet.members.filter((member) => member.state === state).map(({ id }) => id)
  const end = (id: number, code: number) => happen({ type: "ended", id, code, why: "" })
  happen({ type: "begun" })
  return {
    world,
    happen,
    end,
    idsOf,
    readyAll: () => idsOf("starting").map((id) => happen({ type: "ready", id })),
    leaveAll: () => idsOf("leaving").map((id) => end(id, 0)),
    /** Goes on until no process starts or leaves. */
    calm: () => {
      for (let round = 0; round < 200; round++) {
        idsOf("starting").forEach((id) => happen({ type: "ready", id }))
        idsOf("leaving").forEach((id) => end(id, 0))
        world.now += 60_000
        happen({ type: "woken" })
      }
    }
  }
}

const running = (size: number) => {
  const made = makeWorld(size)
  made.readyAll()
  made.readyAll()
  return made
}

const types = (commands: ReadonlyArray<FleetCommand>) => commands.map(({ type }) => type)

describe("the processes of a command", () => {
  it("are started once the first is ready, which may find what is wrong for all", () => {
    const { happen, world } = makeWorld(3)
    assert.deepStrictEqual(world.done, [{ type: "start", id: 1 }])
    assert.deepStrictEqual(happen({ type: "ready", id: 1 }), [{ type: "start", id: 2 }, { type: "start", id: 3 }])
  })

  it("end with the first that does not come to serve, by its code", () => {
    const { end } = makeWorld(3)
    assert.deepStrictEqual(end(1, 2), [{ type: "exit", code: 2 }])
  })

  it("are complete when all serve", () => {
    const { happen, readyAll, world } = makeWorld(2)
    readyAll()
    assert.isFalse(isComplete(world.fleet))
    happen({ type: "ready", id: 2 })
    assert.isTrue(isComplete(world.fleet))
  })

  it("come back when they crash, each time later as long as they do not serve for a while", () => {
    const { end, happen, idsOf, world } = running(2)
    world.now = 20_000
    const waits: Array<number> = []
    for (let crash = 0; crash < 12; crash++) {
      const [wake] = end(Math.max(...world.fleet.members.map(({ id }) => id)), 1)
      assert.strictEqual(wake?.type, "wake")
      if (wake?.type !== "wake") continue
      waits.push(wake.at - world.now)
      world.now = wake.at - 1
      assert.deepStrictEqual(types(happen({ type: "woken" })), ["wake"])
      world.now = wake.at
      assert.deepStrictEqual(types(happen({ type: "woken" })), ["start"])
    }
    assert.deepStrictEqual(
      waits,
      [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000]
    )
    const [id = 0] = idsOf("starting")
    happen({ type: "ready", id })
    world.now += 10_000
    assert.deepStrictEqual(end(id, 1), [{ type: "wake", at: world.now + 200 }])
  })

  it("are replaced at once when somebody ends one of them", () => {
    const { end } = running(2)
    assert.deepStrictEqual(types(end(1, 0)), ["start"])
  })

  it("are replaced one after the other, each once its replacement is ready", () => {
    const { end, happen } = running(2)
    assert.deepStrictEqual(happen({ type: "restart" }), [{ type: "start", id: 3 }])
    assert.deepStrictEqual(happen({ type: "ready", id: 3 }), [{ type: "leave", id: 1 }])
    assert.deepStrictEqual(end(1, 0), [{ type: "start", id: 4 }])
    assert.deepStrictEqual(happen({ type: "ready", id: 4 }), [{ type: "leave", id: 2 }])
    assert.deepStrictEqual(end(2, 0), [])
  })

  it("stay when what shall replace them does not come to serve", () => {
    const { end, happen, idsOf } = running(2)
    happen({ type: "restart" })
    assert.deepStrictEqual(types(end(3, 1)), ["wake"])
    assert.deepStrictEqual(idsOf("ready"), [1, 2])
  })

  it("all end when they are told to, with the worst of their codes, and nothing is started any more", () => {
    const { end, happen } = running(2)
    happen({ type: "restart" })
    assert.deepStrictEqual(types(happen({ type: "end" })), ["end", "end", "end"])
    assert.deepStrictEqual(happen({ type: "end" }), [])
    assert.deepStrictEqual([end(1, 0), happen({ type: "ready", id: 3 }), end(2, 1)], [[], [], []])
    assert.deepStrictEqual(end(3, 0), [{ type: "exit", code: 1 }])
  })

  it("end at once when there are none", () => {
    const { end, happen } = running(1)
    end(1, 1)
    assert.deepStrictEqual(happen({ type: "end" }), [{ type: "exit", code: 0 }])
  })
})

/** An event of the fleet. If several processes fit, `which` picks one. */
const Happening = Schema.Struct({
  what: Schema.Literals(["ready", "crash", "told", "left", "restart", "time", "end"]),
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 }))
})

type Made = ReturnType<typeof makeWorld>

const pick = (ids: ReadonlyArray<number>, which: number) => ids[which % Math.max(1, ids.length)]

/** Makes the event happen if a process fits. Answers the commands that the fleet gives. */
const letHappen = (
  { end, happen, idsOf, world }: Made,
  { what, which }: typeof Happening.Type
): ReadonlyArray<FleetCommand> => {
  const alive = world.fleet.members.map(({ id }) => id)
  const ids = { ready: idsOf("starting"), left: idsOf("leaving"), crash: alive, told: alive }
  switch (what) {
    case "time":
      world.now += which * 500
      return happen({ type: "woken" })
    case "restart":
    case "end":
      return happen({ type: what })
    case "ready": {
      const id = pick(ids.ready, which)
      return id === undefined ? [] : happen({ type: "ready", id })
    }
    default: {
      const id = pick(ids[what], which)
      return id === undefined ? [] : end(id, what === "crash" ? 1 : 0)
    }
  }
}

const serving = ({ members }: Fleet) => members.filter(({ state }) => state === "ready").length

const History = Schema.Array(Happening).check(Schema.isMaxLength(60))
const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))

describe("whatever happens to the processes of a command", () => {
  it.prop("no more than one beside them starts or leaves for a restart", { size: Size, history: History }, ({
    history,
    size
  }) => {
    const made = running(size)
    for (const happening of history) {
      letHappen(made, happening)
      const { members } = made.world.fleet
      assert.isAtMost(members.filter(({ state }) => state === "leaving").length, 1)
      assert.isAtMost(members.filter(({ state }) => state !== "leaving").length, size + 1)
    }
  })

  it.prop("as many as there should be serve while they are replaced", { size: Size, history: History }, ({
    history,
    size
  }) => {
    const made = running(size)
    for (const happening of history) {
      if (!["ready", "left", "restart", "time"].includes(happening.what)) continue
      letHappen(made, happening)
      assert.isAtLeast(serving(made.world.fleet), size)
    }
  })

  it.prop("nothing is started before its time", { size: Size, history: History }, ({ history, size }) => {
    const made = running(size)
    for (const happening of history) {
      const commands = letHappen(made, happening)
      if (types(commands).includes("start")) assert.isAtLeast(made.world.now, made.world.fleet.notBefore)
    }
  })

  it.prop("an end wins: nothing is started after it, and it is over with the last", { size: Size, history: History }, ({
    history,
    size
  }) => {
    const made = running(size)
    history.forEach((happening) => letHappen(made, happening))
    made.happen({ type: "end" })
    const before = made.world.done.length
    history.forEach((happening) => letHappen(made, happening))
    made.world.fleet.members.forEach(({ id }) => made.end(id, 0))
    const after = types(made.world.done.slice(before))
    assert.notInclude(after, "start")
    assert.isTrue(made.world.done.some(({ type }) => type === "exit"))
    assert.lengthOf(made.world.fleet.members, 0)
  })

  it.prop("all come back, and every one is new after a restart", { size: Size, history: History }, ({
    history,
    size
  }) => {
    const made = running(size)
    history.filter(({ what }) => what !== "end").forEach((happening) => letHappen(made, happening))
    const asked = made.world.fleet.generation
    made.calm()
    assert.isTrue(isComplete(made.world.fleet))
    assert.isTrue(made.world.fleet.members.every(({ generation }) => generation === asked))
  })
})
