/** Memory of this process in bytes, as a gauge in Prometheus' text. */
export const residentMemory = (): string =>
  [
    "# HELP turma_process_resident_memory_bytes Memory of each process (RSS), by its process id",
    "# TYPE turma_process_resident_memory_bytes gauge",
    `turma_process_resident_memory_bytes{process="${process.pid}"} ${process.memoryUsage.rss()}`,
    ""
  ].join("\n")
