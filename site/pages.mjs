// What the site has, in the order of its menu. A page of docs that is in no group fails the build.
export const GROUPS = [
    ["Start", ["README.md", "docs/tour.md", "docs/examples.md", "docs/laptops.md", "docs/python.md"]],
    ["Use", ["docs/cli.md", "docs/spec.md", "docs/training.md", "docs/training-library.md", "docs/storage.md"]],
    ["Who runs next", ["docs/scheduling.md", "docs/simulator.md", "docs/performance.md"]],
    [
        "Move here",
        ["docs/from-slurm.md", "docs/from-skypilot.md", "docs/from-runai.md", "docs/from-openpai.md", "docs/from-act.md"],
    ],
    [
        "Words of others",
        ["docs/act.md", "docs/philly.md", "docs/runai.md", "docs/pods.md", "docs/openpai.md", "docs/openpai-rest.md", "docs/conformance.md"],
    ],
    ["Run a server", ["docs/operations.md", "docs/portal.md", "docs/kubernetes.md", "docs/kubernetes-admin.md", "docs/yarn.md", "docs/azureml.md", "docs/http.md", "docs/security.md", "SECURITY.md"]],
    ["Take part", ["docs/ARCHITECTURE.md", "docs/LIFECYCLE.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md"]],
];
