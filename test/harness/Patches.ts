/** The message of a patch's test once the package has fixed the fault. */
export const removable = (patch: string): string =>
  `The package does this itself now: remove src/platform/patches/${patch}.ts`
