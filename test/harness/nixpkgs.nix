# Stands in for the nixpkgs input when flake.nix is evaluated offline. It has only what the flake may use: any other name
# is an evaluation error. A package is a set with its name and the path that a string gets.
let
  package = name: { inherit name; outPath = "/nix/store/stub-${name}"; };
  packages = names: builtins.listToAttrs (map (name: { inherit name; value = package name; }) names);
in
{
  lib.genAttrs = names: value: builtins.listToAttrs (map (name: { inherit name; value = value name; }) names);

  legacyPackages = builtins.listToAttrs (map (name: {
    inherit name;
    value = packages [ "nodejs_24" "postgresql_18" "redis" "openssl" ] // {
      mkShell = shell: shell;
      writeShellApplication = application: package application.name // application;
    };
  }) [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ]);
}
