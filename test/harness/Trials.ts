/**
 * Tests that `npm test` leaves out, because they do one of these:
 * - kill, restart, rotate or restore whole services step by step;
 * - install packages into empty projects;
 * - run every command of a guide;
 * - fill large tables, or compare a model with the service in a great many states;
 * - try an area of the console or pages of it in a browser, or a whole story of the classroom;
 * - need a whole machine.
 *
 * They run in `.ci/run`, and when the command names a path of the tests. Paths start at the root of the project. Each
 * matches a file.
 */
export const trials: ReadonlyArray<string> = [
  "test/**/*{Indexes,Large*}.test.ts",
  "test/assistant/ask/CanceledCalls.test.ts",
  "test/assistant/material/documents/Pdf.test.ts",
  "test/bench/smoke.test.ts",
  "test/chaos/Chaos.test.ts",
  "test/classroom/Story.test.ts",
  "test/cli/{BackupInBucket,BackupKeys,Demo,WebhooksForward,bundle/Bundle}.test.ts",
  "test/cli/commands/{Login,Service,Trouble}.test.ts",
  "test/classroom/HostileText.test.ts",
  "test/commerce/billing/{local/Processes,stripe/Crash,stripe/Processes}.test.ts",
  "test/commerce/sales/{AllAtOnce,purchase/Order}.test.ts",
  "test/console/{Accessible,Assistant,Billing,Browsing,Community,Content,Deliveries,Finding}.test.ts",
  "test/console/{Gamification,HostileText,Office,Operator,Places,Roles,Sales,Several}.test.ts",
  "test/console/{StudentImport,Students,Submissions,Support,Together,Uploads,Webhooks*}.test.ts",
  "test/contract/{AuditLog,InternalId}.test.ts",
  "test/conversation/support/Model.test.ts",
  "test/conversation/visibility/Visibility.test.ts",
  "test/deploy/{Image,monitoring/Prometheus,monitoring/Provoked,monitoring/Rules}.test.ts",
  "test/guides/{Backups,Billing,Calls,Deployment,GuideCommands,Keys,Operations,PythonClient,Sdk,Storage,Tour}.test.ts",
  "test/learning/classroom/crowd/AllAtOnce.test.ts",
  "test/learning/gamification/RankingPages.test.ts",
  "test/learning/media/LegacyKeyMigration.test.ts",
  "test/membership/pages/Browser.test.ts",
  "test/membership/students/SearchIndex.test.ts",
  "test/operations/OpenApiTools.test.ts",
  "test/operations/backup/{CleanUp,Drill,Erasures,KilledVerification,KilledWorker,LostSession}.test.ts",
  "test/operations/backup/{PointInTime,Queued,Verification,place/Bucket}.test.ts",
  "test/operations/documentation/{Browser,Examples}.test.ts",
  "test/operations/mcp/{Memory,Processes,Walk}.test.ts",
  "test/operations/telemetry/BackupFigures.test.ts",
  "test/packages/{Client,Contents,Sdk,Service}.test.ts",
  "test/platform/http/{EventLoopTrials,HeldRows,Hostile}.test.ts",
  "test/platform/sql/{EmbeddedPostgres,Replica,SupervisedPostgres}.test.ts",
  "test/platform/storage/{InParts,Memory,OneTicket,PartsOfTwo}.test.ts",
  "test/process/{Backup,Clock,EmbeddedDatabase,Frozen,KeyGuard,KeyRotation,OrphanedMailFiles}.test.ts",
  "test/process/{Pooler,Processes,Replica,Roles,SecretFiles,Secrets,Several,Traces,Transfers}.test.ts",
  "test/project/{prose,unused}.test.ts",
  "test/sdk/Packed.test.ts",
  "test/simulation/**",
  "test/soak/Soak.test.ts",
  "test/survive/**",
  "test/upgrades/**",
  "test/webhooks/engine/dispatch/{Allocations,GrowthPages}.test.ts",
  "test/webhooks/engine/queue/LongQueue.test.ts",
  "test/webhooks/events/feed/FeedModel.test.ts",
  "test/webhooks/workbench/outage/Simulated.test.ts",
  "test/WorkQueues.test.ts"
]

/**
 * True if trials run. Otherwise a walk over every value in every place takes some of them in turn, and a model has
 * fewer runs. A test that takes over ten seconds by itself is skipped.
 */
export const hasTrials = process.env["TEST_TRIALS"] === "1"
