import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { userInfo } from "node:os"
import { command, install, mayInstall } from "../harness/Packages.ts"
import { ifWeDie } from "../harness/Watchdog.ts"

const isThere = Effect.map(
  Effect.option(command("iptables", "-w", "-n", "-L", "OUTPUT")),
  ({ _tag }) => _tag === "Some"
)

/** Loses this percentage of the packets to and from a port until the scope closes. Answers the reason if it cannot. */
export const losePackets = Effect.fnUntraced(function*(port: number, percent: number) {
  if (userInfo().uid !== 0) return { refused: "only root has packets lost" } as const
  if (!(yield* isThere) && mayInstall()) yield* Effect.ignore(install("iptables"))
  if (!(yield* isThere)) return { refused: "this machine has no iptables that may be used" } as const
  const rules = ["--dport", "--sport"].map((side) =>
    `OUTPUT -o lo -p tcp ${side} ${port} -m statistic --mode random --probability ${percent / 100} -j DROP`.split(" ")
  )
  const change = (how: "-I" | "-D") =>
    Effect.try(() => {
      for (const rule of rules) execFileSync("iptables", ["-w", how, ...rule], { stdio: "pipe" })
    })
  const lost = yield* Effect.option(Effect.acquireRelease(change("-I"), () => Effect.ignore(change("-D"))))
  if (lost._tag === "None") return { refused: "this machine's kernel loses no packets by chance" } as const
  for (const rule of rules) yield* ifWeDie(`iptables -w -D "$@"`, ...rule)
  return { refused: undefined } as const
})
