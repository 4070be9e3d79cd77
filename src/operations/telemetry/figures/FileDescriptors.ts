import { readdir, readFile } from "node:fs/promises"
import { ownText } from "../../../platform/text/Utf8.ts"
import { type Family, gauge } from "./Family.ts"

/** The soft limit in Linux' text about the limits of a process; undefined without a limit. */
const openFilesLimit = (limits: string): number | undefined => {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return soft === undefined ? undefined : Number(soft)
}

/** The file descriptors of this process, sockets among them, and how many it may have. */
export const fileDescriptors = async (process: string): Promise<ReadonlyArray<Family>> => {
  const [open, limits] = await Promise.all([readdir("/proc/self/fd"), readFile("/proc/self/limits").then(ownText)])
  const most = openFilesLimit(limits)
  return [
    gauge("turma_process_open_fds", "File descriptors that the process has open", [
      { labels: { process }, value: open.length }
    ]),
    gauge(
      "turma_process_max_fds",
      "File descriptors that the process may have",
      most === undefined ? [] : [{ labels: { process }, value: most }]
    )
  ]
}
