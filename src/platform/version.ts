/** Of this release: `GET /v1/health` and the packages tell it. */
export const version = "0.3.0"

/** Of the interface, in its description: it changes with the contract and not with a release (contract, Versioning 1). */
export const interfaceVersion = "0.2.0"
