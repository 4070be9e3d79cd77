import { isJson, jsonAt, listAt, readYaml, within } from "./Deployed.ts"

export const composePath = "deploy/compose/compose.yaml"

/** The compose file, with what its services take from each other filled in. */
export const compose: unknown = readYaml(composePath)[0]

/** What is laid over it for TLS. */
export const overTls: unknown = readYaml("deploy/compose/tls.yaml")[0]

/** `${NAME:-default}` as it is where nobody sets `NAME`, and `$$` as the dollar that it stands for. */
export const interpolated = (text: string): string =>
  text.replaceAll(/\$\$|\$\{\w+:-([^}]*)\}/g, (found, fallback?: string) => found === "$$" ? "$" : fallback ?? "")

/** The environment of a service as its processes get it. */
export const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(jsonAt(compose, "services", name, "environment")).map((
    [key, value]
  ) => [key, interpolated(`${value}`)]))

interface Here {
  /** The folder with a file for each secret. */
  readonly secrets: string
  /** What stands for the other services. */
  readonly places: Readonly<Record<string, string>>
}

/** A service of the compose file as `podman run` takes it: its variables, its hardening, its secrets and volumes. */
export const composed = (name: string, { places, secrets }: Here) => {
  const service = jsonAt(compose, "services", name)
  const texts = (key: string) => listAt(service, key).map(String)
  const env = Object.entries(environmentOf(name)).map(([key, value]) => [key, places[value] ?? value])
  return {
    env: Object.fromEntries(env),
    args: [
      ...service["read_only"] === true ? ["--read-only"] : [],
      ...service["init"] === true ? ["--init"] : [],
      ...texts("cap_drop").map((one) => `--cap-drop=${one}`),
      ...texts("security_opt").map((one) => `--security-opt=${one}`),
      ...texts("tmpfs").map((one) => `--tmpfs=${one}`),
      ...texts("volumes").map((one) => `--volume=${one}`),
      ...texts("secrets").map((one) => `--volume=${secrets}/${one}:/run/secrets/${one}:ro`)
    ]
  }
}

/** The names of the services. */
export const services: ReadonlyArray<string> = isJson(within(compose, "services"))
  ? Object.keys(jsonAt(compose, "services"))
  : []
