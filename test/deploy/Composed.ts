import { isJson, jsonAt, listAt, readYaml, within } from "./Deployed.ts"

export const composePath = "deploy/compose/compose.yaml"

/** The compose file, with its YAML references resolved. */
export const compose: unknown = readYaml(composePath)[0]

/** The second compose file, which adds TLS. */
export const overTls: unknown = readYaml("deploy/compose/tls.yaml")[0]

/** Replaces `${NAME:-default}` by its default and `$$` by a dollar sign, as compose does if `NAME` is not set. */
export const interpolated = (text: string): string =>
  text.replaceAll(/\$\$|\$\{\w+:-([^}]*)\}/g, (found, fallback?: string) => found === "$$" ? "$" : fallback ?? "")

/** The environment of a service's processes. */
export const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(jsonAt(compose, "services", name, "environment")).map((
    [key, value]
  ) => [key, interpolated(`${value}`)]))

interface Here {
  /** The folder with a file for each secret. */
  readonly secrets: string
  /** The addresses that replace those of the other services. */
  readonly places: Readonly<Record<string, string>>
}

/** A service of the compose file for `podman run`: its variables, its hardening, its secrets and volumes. */
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
