import type { settings } from "../../../src/cli/settings/Settings.ts"

/** Variables that take any text except an empty one. */
type Free =
  | "HOST"
  | "INTERNAL_SECRET"
  | "DATA_DIR"
  | "WEBHOOK_EXTRA_CA_FILE"
  | "ANTHROPIC_API_KEY"
  | "OPENAI_API_KEY"
  | "AI_MODEL"
  | "BILLING_CATALOG"
  | "STRIPE_SECRET_KEY"
  | "STRIPE_WEBHOOK_SECRET"

/** A malformed value of every variable that has one. A new setting does not compile until it is in one list. */
export const refusedValues: Record<Exclude<keyof typeof settings, Free>, string> = {
  PORT: "65536",
  PUBLIC_URL: "turma.example",
  DASHBOARD_URL: "ftp://turma.example",
  CLASSROOM_URL: "javascript:alert(1)",
  ALLOWED_ORIGINS: "https://turma.example/",
  ROLE: "boss",
  PROCESSES: "0",
  DATABASE_URL: "mysql://turma@db.example/turma",
  DATABASE_SESSION_URL: "postgres://turma@db.example",
  DATABASE_READ_URL: "replica.example",
  DATABASE_POOLER: "session",
  DATABASE_PREPARED_STATEMENTS: "sometimes",
  DATABASE_POOL: "1",
  REDIS_URL: "http://127.0.0.1",
  APP_SECRET_KEY: "c2hvcnQ=",
  APP_SECRET_KEY_PREVIOUS: "not base64",
  STORAGE_URL: "s3://key:secret@s3.example",
  STORAGE_QUOTA_STUDENT: "1 KB",
  STORAGE_QUOTA_CLUB: "lots",
  STORAGE_FREE_FLOOR: "8 PiB",
  BACKUP_URL: "s3://key:secret@s3.example",
  BACKUP_EVERY: "10 seconds",
  BACKUP_KEEP: "0",
  BACKUP_PASSPHRASE: "short",
  SMTP_URL: "smtp://mail.example?tls.rejectUnauthorized=false",
  MAIL_FROM: "nobody",
  TRUSTED_PROXIES: "10.0.0.1/8",
  ADMIN_SESSION_IDLE: "a while",
  ADMIN_SESSION_MAX: "-1 days",
  STUDENT_SESSION_IDLE: "0 seconds",
  STUDENT_SESSION_MAX: "Infinity",
  RATE_LIMIT_WRITES: "0",
  RATE_LIMIT_CREDENTIALS: "-1",
  RATE_LIMIT_PLATFORM_HOOK: "1.5",
  RATE_LIMIT_CLASSROOM: "many",
  MAILS_PER_ADDRESS: "0",
  MAILS_PER_CLUB: "-1",
  CLUBS_PER_ACCOUNT: "1.5",
  WEBHOOK_ASSEMBLE_DELAY: "0 seconds",
  WEBHOOK_RETRY_SCHEDULE: "5 seconds,soon",
  WEBHOOK_RETRY_JITTER: "1",
  WEBHOOK_RETRY_AFTER_MAX: "-1 hours",
  WEBHOOK_ATTEMPT_TIMEOUT: "0 millis",
  WEBHOOK_HOLD_AFTER: "0",
  WEBHOOK_HOLD_BASE: "1 fortnight",
  WEBHOOK_HOLD_MAX: "Infinity",
  WEBHOOK_DISABLE_AFTER: "never",
  WEBHOOK_PENDING_TTL: "0 days",
  WEBHOOK_RECOVER_WINDOW: "-30 days",
  WEBHOOK_SECRET_OVERLAP: "24",
  WEBHOOK_BODY_RETENTION: "4000 days",
  WEBHOOK_ATTEMPT_RETENTION: "a month",
  WEBHOOK_HISTORY_RETENTION: "0 days",
  WEBHOOK_CONCURRENCY: "10001",
  WEBHOOK_LANE_CONCURRENCY: "1.5",
  WEBHOOK_TARGET_CONCURRENCY: "0",
  WEBHOOK_LEASE: "soon",
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/8",
  BILLING_PROVIDER: "paypal",
  STRIPE_BASE_URL: "https://api.stripe.com/v1",
  AI_PROVIDER: "everybody",
  AI_BASE_URL: "http://turma:secret@models.example",
  METRICS_PORT: "65536",
  OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://127.0.0.1",
  LOG_LEVEL: "loud",
  LOG_FORMAT: "xml"
}
