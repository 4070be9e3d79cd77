import { existsSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readFile, realpath, rename, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const untilThere = async (done: string, failed: string): Promise<string> => {
  if (existsSync(done)) return done
  if (existsSync(failed)) throw new Error(await readFile(failed, "utf8"))
  await sleep(100)
  return untilThere(done, failed)
}

/**
 * A folder that one worker fills for all: the folder for temporary files belongs to the run. Others may pass through it.
 * If it cannot be filled, every worker hears why.
 */
export const oncePerRun = async (name: string, fill: (folder: string) => Promise<unknown>): Promise<string> => {
  const done = join(await realpath(tmpdir()), name)
  const failed = `${done}-failed`
  const isFirst = await mkdir(`${done}-begun`).then(() => true, () => false)
  if (isFirst) {
    const unfinished = await mkdtemp(`${done}-unfinished-`)
    await chmod(unfinished, 0o711)
    await fill(unfinished).then(() => rename(unfinished, done), (error) => writeFile(failed, String(error)))
  }
  return untilThere(done, failed)
}
