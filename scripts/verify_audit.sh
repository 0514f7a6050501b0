#!/bin/sh
# Redoes the draw of an audit with nothing but a shell, sha256sum and sort, and compares it with
# what the audit's ledger says was drawn. Prints one line and exits with 0, or with 1.
#
#   scripts/verify_audit.sh .vaultgraph/audits/NAME
#
# Tickets: SHA-256(seed, newline, unit id), the smallest in each stratum. In a filter audit, for
# the counter 0, 1, 2 ...: SHA-256(seed, newline, counter) as four 64-bit numbers, two of them a
# pair of notes, rejected at or above the largest multiple of the number of notes.
set -eu
LC_ALL=C
export LC_ALL
cd "$1"
tab=$(printf '\t')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

value() { # the text of a key: only \\ and \" are escaped in it
    line=$(grep "^$1 = \"" registration.toml | head -n 1)
    line=${line#*\"}
    printf '%s' "${line%\"}" | sed 's/\\\(["\\]\)/\1/g'
}
seed=$(value seed)
kind=$(value kind)

# The encoded units of one stratum, as population.txt has them.
stratum_units() {
    while IFS= read -r line; do
        case $line in "$1$tab"*) printf '%s\n' "${line#*"$tab"}" ;; esac
    done <population.txt
}

by_tickets() { # stratum, size
    stratum_units "$1" | while IFS= read -r unit; do
        # %b reads \n, \t, \r and \\ back; the dot keeps a newline at the end.
        id=$(printf '%b.' "$unit")
        ticket=$(printf '%s\n%s' "$seed" "${id%.}" | sha256sum)
        printf '%s\t%s\n' "${ticket%% *}" "$unit"
    done | sort | head -n "$2" | while IFS= read -r line; do printf '%s\n' "${line#*"$tab"}"; done
}

by_counter() { # size
    stratum_units note >"$work/notes"
    stratum_units candidate | sort >"$work/passed"
    notes=$(wc -l <"$work/notes")
    two32=4294967296
    unit32=$((two32 % notes))
    over=$((unit32 * unit32 % notes)) # 2^64 modulo the number of notes
    : >"$work/drawn"
    counter=0
    found=0
    while [ "$found" -lt "$1" ]; do
        digest=$(printf '%s\n%s' "$seed" "$counter" | sha256sum)
        digest=${digest%% *}
        counter=$((counter + 1))
        for half in 0 1; do
            [ "$found" -lt "$1" ] || break
            a=$(number "$digest" $((half * 32 + 1)))
            b=$(number "$digest" $((half * 32 + 17)))
            [ "$a" != rejected ] && [ "$b" != rejected ] && [ "$a" != "$b" ] || continue
            if [ "$a" -gt "$b" ]; then c=$a a=$b b=$c; fi
            one=$(sed -n "$((a + 1))p" "$work/notes")
            other=$(sed -n "$((b + 1))p" "$work/notes")
            unit="$one\\n$other"
            if ! grep -qxF -- "$unit" "$work/passed"; then
                printf '%s\n' "$unit" >>"$work/passed"
                printf '%s\n' "$unit" >>"$work/drawn"
                found=$((found + 1))
            fi
        done
    done
    cat "$work/drawn"
}

number() { # 16 hex digits of $1 from place $2, modulo the number of notes
    hex=$(printf '%s' "$1" | cut -c "$2-$(($2 + 15))")
    high=$((0x$(printf '%s' "$hex" | cut -c 1-8)))
    low=$((0x$(printf '%s' "$hex" | cut -c 9-16)))
    if [ "$over" -gt 0 ] && [ "$high" -eq 4294967295 ] && [ "$low" -ge $((two32 - over)) ]; then
        printf rejected
    else
        printf '%s' $(((high % notes * unit32 + low) % notes))
    fi
}

# What registration.toml asks for: name and size of each stratum, then the draw.
name=
inside=no
while IFS= read -r line; do
    case $line in
    '[[strata]]') inside=yes ;;
    'name = "'*) if [ $inside = yes ]; then name=${line#*\"} name=${name%\"}; fi ;;
    'size = '*)
        if [ "$kind" = filter ]; then by_counter "${line#size = }"
        else by_tickets "$name" "${line#size = }"; fi ;;
    esac
done <registration.toml >"$work/redone"

# The ledger's own list, as JSON escapes it: those of population.txt, and \" besides.
grep '"event":"drawn"' ledger.jsonl | head -n 1 | sed 's/.*"payload":{"strata":\[//; s/\]},"prev":.*//' |
    sed 's/"name":"[^"]*",//g; s/{"units":\[//g; s/"units":\[//g; s/\]}//g; s/{//g' |
    sed 's/^"//; s/"$//; s/","/\
/g; s/\\"/"/g' | while IFS= read -r unit; do printf '%s\n' "$unit"; done >"$work/listed"

if cmp -s "$work/redone" "$work/listed"; then
    printf '%s units: the draw is the one that the seed gives\n' "$(($(wc -l <"$work/redone")))"
else
    printf 'the draw is NOT the one that the seed gives\n'
    exit 1
fi
