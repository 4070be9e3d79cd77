import { Config, Schema } from "effect"
import { optionalSetting } from "../config/Setting.ts"

const decodes = (text: string) => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

// A query string is refused because the client would let it override our time limits.
const isRedisUrl = (text: string) => {
  if (!URL.canParse(text)) return false
  const { hash, hostname, password, pathname, protocol, search, username } = new URL(text)
  return (protocol === "redis:" || protocol === "rediss:") && hostname !== "" && /^\/?\d*$/.test(pathname) &&
    search === "" && hash === "" && decodes(username) && decodes(password)
}

const RedisUrl = Schema.Redacted(Schema.String.check(Schema.makeFilter(isRedisUrl)))

/** Where the counters are shared. The URL may carry a password, so it is redacted from here on. */
export const redisSettings = {
  REDIS_URL: optionalSetting(
    {
      variable: "REDIS_URL",
      isSecret: true,
      meaning: "Redis for the counters that several processes share",
      expected: "redis://[user:password@]host[:port][/database], or rediss:// for TLS",
      example: "redis://127.0.0.1:6379/0",
      unset: "unset: counters in the process, or for all `PROCESSES` of one command in its supervisor"
    },
    (variable) => Config.schema(RedisUrl, variable)
  )
}
