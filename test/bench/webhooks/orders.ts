import { createInterface } from "node:readline"

/** An order to a measured process, one per line of its input. It answers each order with one line of JSON. */
export interface Order {
  readonly do: string
  readonly count?: number
}

/** Reports that this process is ready, then carries out orders one after another until its input ends. */
export const carryOut = async (
  ready: unknown,
  ways: Readonly<Record<string, (count: number) => unknown>>
): Promise<void> => {
  const answer = (value: unknown) => process.stdout.write(`${JSON.stringify(value ?? null)}\n`)
  answer(ready)
  for await (const line of createInterface({ input: process.stdin })) {
    const { count = 0, do: what }: Order = JSON.parse(line)
    answer(await ways[what]?.(count))
  }
}

/** A setting of a measured process. */
export const given = (variable: string): string => {
  const value = process.env[variable]
  if (value === undefined) throw new Error(`${variable} is not set`)
  return value
}
