import { execFile } from "node:child_process"
import { promisify } from "node:util"

const run = promisify(execFile)

const evaluator = "nix-instantiate"

const answers = () => run(evaluator, ["--version"]).then(() => true, () => false)

/** Makes sure that Nix can evaluate here. As root on Debian it installs `nix-bin`, elsewhere it fails in one line. */
export const requireNix = async (): Promise<void> => {
  if (await answers()) return
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  const apt = (...args: ReadonlyArray<string>) =>
    run("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=120", ...args], { env })
  if (process.getuid?.() === 0) {
    // A failure here does not matter by itself: an old package list may suffice, and only Nix's answer counts.
    await apt("update").catch(() => undefined)
    await apt("install", "-y", "--no-install-recommends", "nix-bin").catch(() => undefined)
  }
  if (!(await answers())) {
    throw new Error("flake.nix cannot be checked: install Nix, or run as root on Debian, where the test installs nix-bin")
  }
}

/** Fails with Nix's own message if the file is not valid Nix. */
export const parseNix = async (path: string): Promise<void> => {
  await run(evaluator, ["--parse", path], { maxBuffer: 16 * 1024 * 1024 })
}

/** The value of a Nix expression as JSON. Nix builds, fetches and stores nothing. */
export const evaluateNix = async (expression: string, cwd: string): Promise<unknown> => {
  const flags = ["--store", "dummy://", "--eval", "--strict", "--json", "--expr", expression]
  const { stdout } = await run(evaluator, flags, { cwd })
  return JSON.parse(stdout)
}
