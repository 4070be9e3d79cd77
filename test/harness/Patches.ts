/** The failure of a patch's test after the package has mended the fault. */
export const removable = (patch: string): string =>
  `The package does this itself now: remove src/platform/patches/${patch}.ts`
