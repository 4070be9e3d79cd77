/**
 * Tests that `npm test` leaves out: they kill, restart, rotate or restore whole services step by step, install packages
 * into empty projects, run every command of a guide, or need a whole machine. They run in `.ci/run`, and when a path of
 * the tests is given. Paths start at the root of the project; each matches a file.
 */
export const trials: ReadonlyArray<string> = [
  "test/bench/smoke.test.ts",
  "test/chaos/Chaos.test.ts",
  "test/cli/{BackupInBucket,BackupKeys,Demo}.test.ts",
  "test/commerce/billing/local/{Indexes,Processes}.test.ts",
  "test/deploy/{Image,monitoring/Prometheus,monitoring/Provoked}.test.ts",
  "test/guides/{Backups,Calls,Deployment,GuideCommands,Keys,Operations,PythonClient,Sdk,Storage,Tour}.test.ts",
  "test/operations/OpenApiTools.test.ts",
  "test/operations/backup/{CleanUp,Drill,Erasures,KilledVerification,KilledWorker,LostSession}.test.ts",
  "test/operations/backup/{PointInTime,Queued,Verification}.test.ts",
  "test/operations/documentation/Examples.test.ts",
  "test/operations/mcp/{Memory,Processes}.test.ts",
  "test/packages/{Client,Contents,Sdk,Service}.test.ts",
  "test/platform/http/EventLoopTrials.test.ts",
  "test/platform/sql/{Replica,SupervisedPostgres}.test.ts",
  "test/platform/storage/Memory.test.ts",
  "test/process/{Clock,EmbeddedDatabase,Frozen,KeyGuard,KeyRotation,OrphanedMailFiles}.test.ts",
  "test/process/{Pooler,Processes,Replica,Transfers}.test.ts",
  "test/sdk/Packed.test.ts",
  "test/simulation/**",
  "test/soak/Soak.test.ts",
  "test/survive/**",
  "test/upgrades/**",
  "test/webhooks/engine/dispatch/Allocations.test.ts"
]

/** Whether trials run. Without them a walk over every value in every place takes some of them in turn. */
export const hasTrials = process.env["TEST_TRIALS"] === "1"
