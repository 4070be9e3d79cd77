/** Words of a question that say nothing about what is looked for. */
export const unsaid: ReadonlySet<string> =
  new Set(("a an and are as at be by can do does for from get has have how i if in into is it its many me much my not of on or our per set should that " +
    "the there this to use using was we what when where which who why will with you your").split(" "))

/** Rows of words for one thing: those that people type, and those that the guides and the reference have for it. */
const rows = [
  ["delete", "remove", "erase"],
  ["gdpr", "lgpd", "privacy", "erase", "removal"],
  ["refresh", "renew", "session", "expires"],
  ["login", "signin", "sign-in"],
  ["logout", "signout", "end"],
  ["signup", "register", "sign-up"],
  ["throttle", "throttling", "ratelimit", "rate", "limits"],
  ["quota", "limits", "cap"],
  ["apikey", "key"],
  ["jwt", "bearer", "token"],
  ["hmac", "signature", "verify"],
  ["redeliver", "replay", "resend", "recover"],
  ["retry", "retries", "attempts"],
  ["paging", "paginate", "pagination", "cursor", "offset"],
  ["env", "environment", "variable", "variables"],
  ["install", "setup", "start"],
  ["deploy", "hosting", "image", "container"],
  ["docker", "container", "compose"],
  ["k8s", "helm", "kubernetes"],
  ["postgres", "postgresql", "database"],
  ["s3", "bucket"],
  ["monitoring", "monitor", "metrics", "watching"],
  ["local", "locally", "localhost", "tunnel", "machine"],
  ["duplicate", "dedupe", "idempotency"],
  ["permission", "permissions", "role", "roles"],
  ["invite", "invitation"],
  ["sandbox", "simulate", "test"]
]

const likeness = new Map<string, Set<string>>()
for (const row of rows) {
  for (const word of row) likeness.set(word, new Set([...likeness.get(word) ?? [], ...row]))
}

/** Other words for the same; empty for most. Lower case, without accents. */
export const alike = (word: string): ReadonlyArray<string> =>
  [...likeness.get(word) ?? []].filter((one) => one !== word)
