#!/bin/sh
# One NaN makes Open MPI's maximum lose the numbers of other ranks.
#
# Package:   openmpi-bin, libopenmpi3, libopenmpi-dev 4.1.4-3+b1, libpmix2 4.2.2-1+deb12u1 (Debian 12)
# Expected:  either NaN, or the largest number of the other ranks.
# Behaviour: the answer of MPI_MAX depends on where the NaN stands in the tree of the reduction, and may be neither. Four ranks with
#            1, NaN, 3, 4: MPI_Reduce gives 3 and MPI_Allreduce 4. With the NaN on rank 2, they give NaN and 2. So a sweep that
#            reduces its largest joint force can report a smaller one, without a sign that one run gave NaN.
# Output:    NaN on rank 0: 3 nan; 1: 3 4; 2: nan 2; 3: 3 3  (largest of the others: 4, 4, 4, 3)
# Source:    ompi/mca/op/base/op_base_functions.c: the maximum is one comparison, which is false for a NaN on either side, so the second
#            operand wins, and the order of the operands is that of the reduction's tree.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir partial
# with all that is not installed of what they need
apt-get -qq -y -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o Dir::Cache::archives="$work" --no-install-recommends --reinstall --download-only install \
    openmpi-bin=4.1.4-3+b1 libopenmpi3=4.1.4-3+b1 libopenmpi-dev=4.1.4-3+b1 libpmix2=4.2.2-1+deb12u1
for package in ./*.deb; do dpkg -x "$package" .; done
LD_LIBRARY_PATH=$(find "$PWD" -name '*.so*' -exec dirname {} + | sort -u | paste -sd:)
export LD_LIBRARY_PATH
# where they look for their parts
openmpi=$work/usr/lib/x86_64-linux-gnu/openmpi
export OPAL_PREFIX="$openmpi" OPAL_DATADIR="$work/usr/share" OPAL_PKGDATADIR="$work/usr/share/openmpi" OPAL_SYSCONFDIR="$work/etc/openmpi" \
    OMPI_MCA_mca_component_path="$openmpi/lib/openmpi3" PMIX_INSTALL_PREFIX="$work/usr/lib/x86_64-linux-gnu/pmix2" \
    PMIX_MCA_pmix_mca_base_component_path="$work/usr/lib/x86_64-linux-gnu/pmix2/lib/pmix" \
    PMIX_MCA_mca_base_component_path="$work/usr/lib/x86_64-linux-gnu/pmix2/lib/pmix"
PATH=$work/usr/bin:$PATH

cat >largest.c <<'END'
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int bad = 0; bad < ranks; bad++) {
        double own = rank == bad ? NAN : rank + 1, reduced = 0, shared = 0;
        MPI_Reduce(&own, &reduced, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&own, &shared, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (!rank)
            printf("%d %g %g\n", bad, reduced, shared);
    }
    MPI_Finalize();
    return 0;
}
END
cc -O1 -I"$openmpi/include" largest.c -o largest "$openmpi/lib/libmpi.so" -lm
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun.openmpi --oversubscribe -n 4 ./largest | tee out
# a number that is smaller than the largest, with the NaN on rank 1 or 2
awk '$1 == 1 && $2 == 3 { lost++ } $1 == 2 && $3 == 2 { lost++ } END { exit lost != 2 }' out || { echo "changed: the largest number survives"; exit 1; }
echo "as described"
