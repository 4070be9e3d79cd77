import { project, runTool } from "./Tools.ts"

const options = ["--config", "test/tools/knip.ts", "--include", "files,exports,types", "--no-progress"]

/** Knip's findings of unused code in this folder, with test/tools/knip.ts. Empty if it finds nothing. */
export const findUnused = async (
  folder = project,
  more: ReadonlyArray<string> = ["--treat-config-hints-as-errors"]
): Promise<ReadonlyArray<string>> => {
  const find = async (title: string, ...mode: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await runTool(
      "knip",
      ["--directory", folder, ...options, ...more, ...mode],
      folder
    )
    return code === 0 ? [] : [`${title}:`, `${stdout}${stderr}`.trim()]
  }
  return [...await find("Nothing uses"), ...await find("Only tests use", "--production")]
}
