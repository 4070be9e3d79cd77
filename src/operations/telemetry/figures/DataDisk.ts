import { Effect } from "effect"
import { statfs } from "node:fs/promises"
import { type Family, gauge } from "./Family.ts"

/**
 * The free space on the disk of this folder, and its size; empty if the folder does not exist. A disk that does not
 * answer is asked once and not again until it does: each question would block one of Node's few threads.
 */
export const dataDisk = (folder: string): Effect.Effect<ReadonlyArray<Family>> => {
  let asked: ReturnType<typeof ask> | undefined
  const ask = () =>
    statfs(folder).finally(() => {
      asked = undefined
    })
  return Effect.tryPromise(() => asked ??= ask()).pipe(
    Effect.map(({ bavail, blocks, bsize }) => [
      gauge("turma_data_disk_free_bytes", "The free space on the disk of DATA_DIR", [{ value: bavail * bsize }]),
      gauge("turma_data_disk_size_bytes", "How large the disk of DATA_DIR is", [{ value: blocks * bsize }])
    ]),
    Effect.orElseSucceed(() => [])
  )
}
