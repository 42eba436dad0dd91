package fairlead.dialects.openpai;

import java.util.Map;

/**
 * What a task does before its command so that one can log in to it (items O77 to O79), as lines of
 * bash. Where the launch has given it the job's key pair and there is OpenSSH in its surroundings,
 * it starts an SSH server on its port and lets {@code ssh ROLE-INDEX} find the other tasks. Nothing
 * in here ends the task: a job without SSH is still a job.
 *
 * <p>The server listens only where the other tasks look for this one: on a machine of one's own
 * that is the loopback, so that a job opens no door to the network. It is no child of the shell
 * that runs the command, whose {@code wait} would wait for it too. Who logs in has the variables of
 * the task.
 *
 * <p>A task may be a process of a person who has their own {@code ~/.ssh}, which is read but never
 * written. So {@code ssh}, {@code scp} and {@code sftp} are found first in a folder of the PATH
 * that names the configuration. For who calls them by their full paths, that configuration stands
 * before the machine's own: in a container that is a file of the container, and a process of root
 * sees it in a mount namespace of its own. Another account's process cannot have one without
 * becoming less than it is, see docs/openpai-rest.md.
 *
 * <p>All files are in the folder that the engine has made for the task, and removes however it
 * ends. In a container they are the container's.
 */
public final class SshScript {
    /** What {@link StartCommand} evaluates before the command. */
    static final String BEFORE = "FAIRLEAD_BEFORE";

    /** For the shell that runs the command. A container's first process is 1, or its parent is. */
    private static final String LINES =
            """
            pai_ssh() {
              local system=/etc/ssh/ssh_config
              if [ "$EUID" = 0 ] && [ -n "$FAIRLEAD_TASK_FOLDER" ] && [ -f "$system" ] &&
                  [ -z "$FAIRLEAD_OWN_MOUNTS" ] && unshare --mount true 2>/dev/null; then
                export FAIRLEAD_OWN_MOUNTS=yes
                exec unshare --mount -- /bin/bash -c "$BASH_EXECUTION_STRING" bash "$pai_command"
              fi
              local key=$FAIRLEAD_SSH_PRIVATE_KEY dir=$FAIRLEAD_TASK_FOLDER own=$FAIRLEAD_OWN_MOUNTS
              local contained= each real sftp= user role host index port
              local -A pai=()
              [ -z "$dir" ] && case " $$ $PPID " in *" 1 "*|*" 0 "*) contained=yes ;; esac
              unset FAIRLEAD_SSH_PRIVATE_KEY FAIRLEAD_TASK_FOLDER FAIRLEAD_OWN_MOUNTS
              type -P ssh-keygen >/dev/null && type -P ssh >/dev/null || return 0
              [ -n "$dir" ] ||
                dir=$(umask 077; mktemp -d "${TMPDIR:-/tmp}/pai-ssh.XXXXXX") || return 0
              mkdir -p "$dir/bin" || return 0
              (umask 077; printf '%s\\n' "$key" >"$dir/key")
              printf '%s\\n' "$FAIRLEAD_SSH_PUBLIC_KEY" >"$dir/authorized_keys"
              # A role's name may hold what a variable of bash may not.
              while IFS= read -r -d '' each; do
                case $each in PAI_*=*) pai[${each%%=*}]=${each#*=} ;; esac
              done </proc/self/environ
              user=$(id -un)
              {
                for role in ${pai[PAI_JOB_TASK_ROLE_LIST]//,/ }; do
                  index=0
                  for host in ${pai[PAI_TASK_ROLE_${role}_HOST_LIST]//,/ }; do
                    port=${pai[PAI_${role}_${index}_ssh_PORT]%%,*}
                    [ -z "$port" ] || printf '%s\n' "Host $role-$index" " HostName ${host%:*}" \
                      " Port $port" " User $user" " IdentityFile \"$dir/key\"" " IdentitiesOnly yes" \
                      " StrictHostKeyChecking no" " UserKnownHostsFile /dev/null" " LogLevel ERROR"
                    index=$((index + 1))
                  done
                done
                echo 'Host *'
              } >"$dir/hosts"
              export FAIRLEAD_SSH_CONFIG=$dir/config
              {
                cat "$dir/hosts"
                printf ' IgnoreUnknown Include\\n Include ~/.ssh/config\\n Include %s\\n' "$system"
              } >"$dir/config"
              for each in ssh scp sftp; do
                real=$(type -P "$each") || continue
                printf '#!/bin/bash\\nexec %q -F %q "$@"\\n' "$real" "$dir/config" >"$dir/bin/$each"
                chmod 755 "$dir/bin/$each"
              done
              export PATH=$dir/bin:$PATH
              if [ -n "$own$contained" ]; then
                {
                  cat "$dir/hosts" "$system" >"$dir/system"
                  if [ -n "$own" ]; then mount -n --bind "$dir/system" "$system"
                  else mkdir -p "${system%/*}" && cat "$dir/system" >"$system"; fi
                } 2>/dev/null
              fi
              [ -x /usr/sbin/sshd ] || return 0
              [ "$EUID" != 0 ] || mkdir -p /run/sshd
              ssh-keygen -q -t ed25519 -N '' -f "$dir/host" || return 0
              (umask 077; cat /proc/self/environ >"$dir/environ")
              cat >"$dir/enter" <<'end'
            #!/bin/bash
            variables=()
            while IFS= read -r -d '' each; do
              case $each in
              HOME=*|USER=*|LOGNAME=*|SHELL=*|MAIL=*|TERM=*|PWD=*|OLDPWD=*|SHLVL=*|_=*) ;;
              SSH_*|FAIRLEAD_BEFORE=*) ;;
              *) variables+=("$each") ;;
              esac
            done <"${0%/*}/environ"
            command=$SSH_ORIGINAL_COMMAND
            unset SSH_ORIGINAL_COMMAND
            [ -z "$command" ] || exec env -- "${variables[@]}" "${SHELL:-/bin/bash}" -c "$command"
            exec env -- "${variables[@]}" "${SHELL:-/bin/bash}"
            end
              chmod 755 "$dir/enter"
              for each in /usr/lib/openssh /usr/libexec/openssh /usr/lib/ssh /usr/libexec; do
                [ -x "$each/sftp-server" ] && sftp="$each/sftp-server" && break
              done
              (
                /usr/sbin/sshd -D -e -f /dev/null -h "$dir/host" -p "$PAI_CONTAINER_SSH_PORT" \\
                  -o "AuthorizedKeysFile \\"$dir/authorized_keys\\"" -o "StrictModes no" \\
                  -o "PasswordAuthentication no" -o "KbdInteractiveAuthentication no" \\
                  -o "ForceCommand $(printf %q "$dir/enter")" -o "PidFile none" \\
                  ${sftp:+-o "Subsystem sftp $sftp"} \\
                  -o "ListenAddress ${PAI_CONTAINER_HOST_IP:-0.0.0.0}" </dev/null \\
                  >"$dir/log" 2>&1 &
              )
              return 0
            }
            pai_ssh
            unset -f pai_ssh
            """;

    private SshScript() {}

    /**
     * The variables of a task that may be logged in to. The lines come along as one of them, so
     * that the command that people see stays short.
     */
    public static Map<String, String> variables(String publicKey, String privateKey) {
        return Map.of(
                BEFORE,
                LINES,
                "FAIRLEAD_SSH_PUBLIC_KEY",
                publicKey,
                "FAIRLEAD_SSH_PRIVATE_KEY",
                privateKey);
    }
}
