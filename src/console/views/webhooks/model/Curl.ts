// A request as a command for a POSIX shell. Pure.

/** A word that a shell reads back as it is, whatever is in it. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A request that was sent. */
export interface SentRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** In characters. Kernels refuse arguments of 128 KB and more, and a character may take four bytes. */
const longestArgument = 30_000

/** The same request by curl. A long body goes through a pipe, which has no limit. */
export const curlOf = ({ body, headers, url }: SentRequest): string => {
  const isLong = body.length > longestArgument
  const parts = [
    `curl --globoff --request POST --url ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    isLong ? "--data-binary @-" : `--data-raw ${quoted(body)}`
  ]
  const command = parts.join(" \\\n  ")
  return isLong ? `printf %s ${quoted(body)} | ${command}` : command
}
