/**
 * Tests that `npm test` leaves out, because they do one of these:
 * - kill, restart, rotate or restore whole services step by step;
 * - install packages into empty projects;
 * - run every command of a guide;
 * - fill large tables;
 * - walk through every view of the console, or try one of its areas;
 * - need a whole machine.
 *
 * They run in `.ci/run`, and when the command names a path of the tests. Paths start at the root of the project. Each
 * matches a file.
 */
export const trials: ReadonlyArray<string> = [
  "test/**/*{Indexes,Large*}.test.ts",
  "test/bench/smoke.test.ts",
  "test/chaos/Chaos.test.ts",
  "test/cli/{BackupInBucket,BackupKeys,Demo}.test.ts",
  "test/cli/commands/Trouble.test.ts",
  "test/commerce/billing/{local,stripe}/Processes.test.ts",
  "test/console/{Assistant,Billing,Content,Finding,Gamification,HostileText,Office,Operator,Places,Roles}.test.ts",
  "test/console/{Sales,Several,StudentImport,Support,Together}.test.ts",
  "test/console/Webhooks{Deliveries,Gradings,Inboxes,Live,Recoveries,Shaping}.test.ts",
  "test/deploy/{Image,monitoring/Prometheus,monitoring/Provoked}.test.ts",
  "test/guides/{Backups,Calls,Deployment,GuideCommands,Keys,Operations,PythonClient,Sdk,Storage,Tour}.test.ts",
  "test/learning/gamification/RankingPages.test.ts",
  "test/operations/OpenApiTools.test.ts",
  "test/operations/backup/{CleanUp,Drill,Erasures,KilledVerification,KilledWorker,LostSession}.test.ts",
  "test/operations/backup/{PointInTime,Queued,Verification,place/Bucket}.test.ts",
  "test/operations/documentation/Examples.test.ts",
  "test/operations/mcp/{Memory,Processes}.test.ts",
  "test/packages/{Client,Contents,Sdk,Service}.test.ts",
  "test/platform/http/EventLoopTrials.test.ts",
  "test/platform/sql/{EmbeddedPostgres,Replica,SupervisedPostgres}.test.ts",
  "test/platform/storage/{Memory,OneTicket,PartsOfTwo}.test.ts",
  "test/process/{Backup,Clock,EmbeddedDatabase,Frozen,KeyGuard,KeyRotation,OrphanedMailFiles}.test.ts",
  "test/process/{Pooler,Processes,Replica,SecretFiles,Transfers}.test.ts",
  "test/sdk/Packed.test.ts",
  "test/simulation/**",
  "test/soak/Soak.test.ts",
  "test/survive/**",
  "test/upgrades/**",
  "test/webhooks/engine/dispatch/{Allocations,GrowthPages}.test.ts",
  "test/webhooks/events/feed/FeedModel.test.ts"
]

/**
 * True if trials run. Otherwise a walk over every value in every place takes some of them in turn, and a model has
 * fewer runs. A test that takes over ten seconds by itself is skipped.
 */
export const hasTrials = process.env["TEST_TRIALS"] === "1"
